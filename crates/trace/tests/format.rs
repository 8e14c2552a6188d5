//! Events survive being written and read; what is no trace is told so, with the place.

use std::io::Cursor;

use trace::encode::{self, Context, Room, Usual};
use trace::layout::{self, CHUNK, EVENT, chunk, header, tag};
use trace::memory::{self, Memory};
use trace::rounds::{self, RepeatedRead};
use trace::{Ending, Event, Op, Problem, Reader, Record};

/// A raw trace that is made here, as the run time would make it.
struct Writer {
    bytes: Vec<u8>,
    memory: Box<Memory>,
}

/// A thread that writes.
struct Thread {
    number: u32,
    sequence: u32,
    /// Where its chunk is, and where in it the next event goes.
    chunk: usize,
    at: usize,
    /// Where the last usual event counts those that follow.
    count: usize,
    context: Context,
}

impl Writer {
    fn new() -> Self {
        let mut bytes = vec![0; CHUNK];
        bytes[..8].copy_from_slice(&layout::RAW);
        let mut put = |at: usize, number: u32| bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        put(header::VERSION, layout::VERSION);
        put(header::CHUNK, CHUNK as u32);
        put(header::PID, 42);
        put(header::ENDING, layout::ending::EXIT);
        put(header::STATUS, 3);
        put(header::EXECUTABLE, 2);
        put(header::COMMAND, 5);
        bytes[header::TEXTS..header::TEXTS + 7].copy_from_slice(b"/ea\0b\0\0");
        Writer { bytes, memory: memory::empty() }
    }

    fn thread(&mut self, number: u32, turn: u64) -> Thread {
        let mut thread =
            Thread { number, sequence: 0, chunk: 0, at: 0, count: 0, context: Context::default() };
        self.chunk(&mut thread, turn);
        thread
    }

    fn chunk(&mut self, thread: &mut Thread, turn: u64) {
        thread.chunk = self.bytes.len();
        thread.at = chunk::EVENTS;
        thread.context = Context::default();
        self.bytes.resize(thread.chunk + CHUNK, 0);
        let start = &mut self.bytes[thread.chunk..];
        start[chunk::MARK_AT..][..4].copy_from_slice(&chunk::MARK.to_le_bytes());
        start[chunk::THREAD..][..4].copy_from_slice(&thread.number.to_le_bytes());
        start[chunk::SEQUENCE..][..4].copy_from_slice(&thread.sequence.to_le_bytes());
        start[chunk::TURN..][..8].copy_from_slice(&turn.to_le_bytes());
        thread.sequence += 1;
    }

    fn room(&mut self, thread: &mut Thread, turn: u64) -> (&mut Room, &mut Memory) {
        if thread.at + EVENT > CHUNK {
            self.chunk(thread, turn);
        }
        let room = &mut self.bytes[thread.chunk + thread.at..][..EVENT];
        (room.try_into().unwrap(), &mut self.memory)
    }

    /// An event that is a sequence of numbers.
    fn put(&mut self, thread: &mut Thread, turn: u64, tag: u8, numbers: &[u64]) {
        let (room, _) = self.room(thread, turn);
        thread.at += encode::numbers(room, tag, numbers);
        thread.context.close();
    }

    /// Any other event; whether it was counted, and not written.
    fn usual(&mut self, thread: &mut Thread, turn: u64, event: Usual) -> bool {
        let count = &raw mut self.bytes[thread.count];
        // SAFETY: that is where the last usual event counts.
        if unsafe { event.count(&mut thread.context, &mut self.memory, count) } {
            return true;
        }
        let (room, memory) = self.room(thread, turn);
        let length = event.write(room, &mut thread.context, memory);
        thread.count = thread.chunk + thread.at + encode::COUNT;
        thread.at += length;
        false
    }

    fn reader(&self) -> Reader<Cursor<Vec<u8>>> {
        Reader::new(Cursor::new(self.bytes.clone())).unwrap()
    }
}

/// A number of any length.
fn any(random: &mut fastrand::Rng) -> u64 {
    random.u64(..) >> random.u32(0..64)
}

/// What an event is made of, when it is written.
enum Made {
    Usual(Usual),
    Numbers(u8, Vec<u64>),
}

fn any_event(random: &mut fastrand::Rng, sites: u32) -> (Event, Made) {
    let site = if sites == 0 { any(random) as u32 } else { random.u32(1..=sites) };
    let (at, value, other) = if sites == 0 {
        (any(random), any(random), any(random))
    } else {
        // Few places and values, so that much is as expected.
        (0x7f00_0000_0000 + random.u64(0..4), random.u64(0..2), random.u64(0..2))
    };
    let size = [1, 2, 4, 8, 16, 3, 1 << 20][random.usize(0..7)];
    // With few sites, each has its own kind of event.
    let kind = if sites == 0 { random.u32(0..10) } else { site % 10 };
    let numbers = |tag, numbers: &[u64]| Made::Numbers(tag, numbers.to_vec());
    match kind {
        0 => (
            Event::Read { site, at, size, value },
            Made::Usual(Usual::access(tag::READ, site, at, value, size)),
        ),
        1 => (
            Event::Write { site, at, size, value },
            Made::Usual(Usual::access(tag::WRITE, site, at, value, size)),
        ),
        2 => (
            Event::Update { site, at, size, old: value, new: other },
            Made::Usual(Usual::update(site, at, value, other, size)),
        ),
        3 => (
            Event::Branch { site, successor: value as u32 },
            Made::Usual(Usual::at_site(tag::BRANCH, site, u64::from(value as u32))),
        ),
        4 => (Event::Back { site, result: value }, Made::Usual(Usual::at_site(tag::BACK, site, value))),
        5 => (Event::Enter { site }, Made::Usual(Usual::at_site(tag::ENTER, site, 0))),
        6 => (
            Event::Copy { site, to: at, from: value, bytes: other },
            numbers(tag::COPY, &[u64::from(site), at, value, other]),
        ),
        7 => {
            let op = Op::ALL[random.usize(0..Op::ALL.len())];
            (
                Event::Sync { site, op, object: at, other: value, result: other as i64 },
                numbers(tag::SYNC, &[u64::from(site), op as u64, at, value, other]),
            )
        }
        8 => (
            Event::Fill { site, to: at, byte: value as u8, bytes: other },
            numbers(tag::FILL, &[u64::from(site), at, u64::from(value as u8), other]),
        ),
        _ if random.u32(0..200) == 0 => (Event::Forget, numbers(tag::FORGET, &[])),
        _ => (Event::Free { site, at }, numbers(tag::FREE, &[u64::from(site), at])),
    }
}

/// Writes what threads do in turns, with so many sites, or any; and reads it.
fn write_and_read(sites: u32) {
    let mut random = fastrand::Rng::with_seed(11);
    let mut writer = Writer::new();
    let mut expected = Vec::new();
    let mut threads: Vec<Option<Thread>> = (0..5).map(|_| None).collect();
    for turn in 1..200 {
        let number = random.usize(0..threads.len());
        let mut thread = threads[number].take().unwrap_or_else(|| writer.thread(number as u32, turn));
        writer.put(&mut thread, turn, tag::TURN, &[turn]);
        expected.push(Record { turn, thread: number as u32, event: Event::Turn });
        for _ in 0..random.u32(0..400) {
            let (event, made) = any_event(&mut random, sites);
            expected.push(Record { turn, thread: number as u32, event });
            match made {
                Made::Usual(event) => {
                    writer.usual(&mut thread, turn, event);
                }
                Made::Numbers(tag, numbers) => {
                    writer.put(&mut thread, turn, tag, &numbers);
                    match *numbers {
                        [_, to, from, bytes] if tag == tag::COPY => {
                            memory::copy(&mut writer.memory, to, from, bytes);
                        }
                        [_, to, byte, bytes] if tag == tag::FILL => {
                            memory::fill(&mut writer.memory, to, byte as u8, bytes);
                        }
                        _ if tag == tag::FORGET => writer.memory = memory::empty(),
                        _ => {}
                    }
                }
            }
        }
        threads[number] = Some(thread);
    }
    let reader = writer.reader();
    assert_eq!(reader.header().pid, 42);
    assert_eq!(reader.header().executable, "/e");
    assert_eq!(reader.header().command, ["a", "b", ""]);
    assert_eq!(reader.header().ending, Ending::Exit(3));
    let records: Vec<_> = reader.map(Result::unwrap).collect();
    assert_eq!(records.len(), expected.len());
    for (found, expected) in records.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
}

#[test]
fn what_is_written_is_read() {
    write_and_read(0);
}

#[test]
fn what_is_counted_is_read() {
    for sites in [1, 3, 5, 12, 40] {
        write_and_read(sites);
    }
}

#[test]
fn what_is_expected_takes_no_room() {
    let mut writer = Writer::new();
    let mut thread = writer.thread(0, 1);
    writer.put(&mut thread, 1, tag::TURN, &[1]);
    let mut expected = Vec::new();
    for round in 0..1000_u64 {
        // A loop over two arrays, one of them from its end, and a branch. The second holds what the first round leaves there.
        let (from, to) = (0x7f00_0000_1000 + 4 * round, 0x5500_0000_9000 - 8 * (round % 500));
        let start = thread.at;
        let events = [
            (
                Event::Read { site: 1000, at: from, size: 4, value: 0 },
                Usual::access(tag::READ, 1000, from, 0, 4),
            ),
            (
                Event::Write { site: 1001, at: to, size: 8, value: 77 },
                Usual::access(tag::WRITE, 1001, to, 77, 8),
            ),
            (Event::Branch { site: 1002, successor: 0 }, Usual::at_site(tag::BRANCH, 1002, 0)),
        ];
        for (event, made) in events {
            expected.push(event);
            writer.usual(&mut thread, 1, made);
        }
        if (10..90).contains(&(round % 100)) {
            // A value that is new takes four bytes. Whatever is counted is counted anew after 128 events.
            let most = if round < 500 { 4 } else { 3 };
            assert!(thread.at - start <= most, "{}", thread.at - start);
        }
        // Now and then, something with the same remainder gets in between.
        if round % 100 == 99 {
            writer.usual(&mut thread, 1, Usual::access(tag::WRITE, 1256, round, 77, 16));
            expected.push(Event::Write { site: 1256, at: round, size: 16, value: 77 });
        }
    }
    let events: Vec<_> = writer.reader().map(|record| record.unwrap().event).skip(1).collect();
    assert_eq!(events, expected);
}

#[test]
fn what_follows_from_reads_takes_no_room() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut writer = Writer::new();
    let mut thread = writer.thread(0, 1);
    writer.put(&mut thread, 1, tag::TURN, &[1]);
    let mut expected = Vec::new();
    // A copy, a counter that goes round, and a constant; what is read for the first time has to be written.
    for round in 0..200_u64 {
        let (from, to) = (0x7f00_0000_1000 + 4 * round, 0x5500_0000_9000 + 4 * round);
        let value = u64::from(random.u32(1 << 24..));
        let accesses = [
            (tag::READ, 1, from, value, 4),
            (tag::WRITE, 2, to, value, 4),
            (tag::READ, 3, 0x6000, (250 + round) & 0xff, 1),
            (tag::WRITE, 4, 0x6000, (251 + round) & 0xff, 1),
            (tag::WRITE, 5, 0x6100 + 8 * round, 7, 8),
        ];
        let start = thread.at;
        for (tag, site, at, value, size) in accesses {
            expected.push(match tag {
                tag::READ => Event::Read { site, at, size, value },
                _ => Event::Write { site, at, size, value },
            });
            writer.usual(&mut thread, 1, Usual::access(tag, site, at, value, size));
        }
        if round > 2 {
            assert!(thread.at - start <= 7, "{}", thread.at - start);
        }
    }
    let events: Vec<_> = writer.reader().map(|record| record.unwrap().event).skip(1).collect();
    assert_eq!(events, expected);
}

#[test]
fn what_loops_read_is_read() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut data: Vec<u32> = (0..4000).map(|_| random.u32(..)).collect();
    let mut writer = Writer::new();
    let mut thread = writer.thread(0, 1);
    writer.put(&mut thread, 1, tag::TURN, &[1]);
    let (mut expected, mut at_once, mut all_known) = (Vec::new(), 0, 0);
    for run in 0..60 {
        // Several arrays at a time: forwards, backwards, with gaps, or always the same place.
        let start = data.as_ptr() as u64;
        let size = |site: u32| [4, 4, 2, 1, 8][site as usize % 5];
        let reads: Vec<RepeatedRead> = (1..=random.u32(1..4))
            .map(|site| {
                let stride = [4, 4, 16, 0, -8_i64][(site as usize + run) % 5];
                RepeatedRead { site, size: size(site), first: start + 8000, stride: stride.cast_unsigned() }
            })
            .collect();
        let rounds = random.u64(0..400);
        let mut round = 0;
        // SAFETY: all addresses are in the array.
        let known = unsafe { rounds::are_as_known(&reads, 0, rounds, &writer.memory) };
        all_known += usize::from(known && rounds > 0);
        while round < rounds {
            let count = &raw mut writer.bytes[thread.count];
            let (context, memory) = (&mut thread.context, &writer.memory);
            // SAFETY: that is where the last usual event counts, and all addresses are in the array.
            let counted =
                unsafe { rounds::count(&reads, round, rounds - round, known, context, memory, count) };
            for at in round..round + counted.max(1) {
                for read in &reads {
                    // SAFETY: as above.
                    let made = unsafe { read.event(at) };
                    let (at, size) = (made.number(), read.size);
                    let mut bytes = [0; 8];
                    let from = (at - start) as usize;
                    let whole: Vec<u8> = data.iter().flat_map(|word| word.to_le_bytes()).collect();
                    bytes[..size as usize].copy_from_slice(&whole[from..from + size as usize]);
                    expected.push(Event::Read {
                        site: read.site,
                        at,
                        size,
                        value: u64::from_le_bytes(bytes),
                    });
                    if counted == 0 {
                        writer.usual(&mut thread, 1, made);
                    }
                }
            }
            at_once += counted;
            round += counted.max(1);
        }
        // Somebody changes something now and then.
        for _ in 0..random.usize(0..3) {
            let place = random.usize(0..data.len());
            data[place] = random.u32(..);
        }
    }
    assert!(at_once > 1000, "{at_once}");
    assert!(all_known > 3, "{all_known}");
    let events: Vec<_> = writer.reader().map(|record| record.unwrap().event).skip(1).collect();
    assert_eq!(events.len(), expected.len());
    for (found, expected) in events.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
}

/// What is behind the end of the table is not what is known of the memory that goes by its beginning.
#[test]
fn loops_over_the_end_of_the_table_know_no_more_than_readers() {
    let words = 2 * memory::BYTES / 8;
    let zeros = vec![0_u64; words];
    let border = zeros.as_ptr().addr().next_multiple_of(memory::BYTES) as u64;
    let border =
        if border - (zeros.as_ptr().addr() as u64) < 32 { border + memory::BYTES as u64 } else { border };
    let mut known = memory::empty();
    let read = RepeatedRead { site: 1, size: 8, first: border - 24, stride: 8 };
    // SAFETY: all four words are in the array.
    assert!(unsafe { rounds::are_as_known(&[read], 0, 4, &known) });
    memory::hold(&mut known, border, 8, 7);
    // SAFETY: as above.
    assert!(!unsafe { rounds::are_as_known(&[read], 0, 4, &known) });
}

#[test]
fn texts_survive_and_long_ones_are_cut() {
    let mut writer = Writer::new();
    let mut thread = writer.thread(0, 1);
    writer.put(&mut thread, 1, tag::TURN, &[1]);
    let long = vec![b'x'; 10_000];
    let texts: [&[u8]; 3] = [b"a == b", &long, b""];
    let out = &mut writer.bytes[thread.chunk + thread.at..thread.chunk + CHUNK];
    thread.at += encode::texts(out, tag::FAILED, &[7, 12], &texts);
    writer.put(&mut thread, 1, tag::END, &[]);
    let records: Vec<_> = writer.reader().map(Result::unwrap).collect();
    let expected = Event::Failed {
        site: 7,
        line: 12,
        text: "a == b".into(),
        file: "x".repeat(layout::TEXT),
        function: String::new(),
    };
    assert_eq!(records[1].event, expected);
    assert_eq!(records[2].event, Event::End);
    // Where there is no room, nothing is written.
    let mut small = [0; 100];
    assert_eq!(encode::texts(&mut small, tag::FAILED, &[7, 12], &texts), 0);
    assert_eq!(small, [0; 100]);
}

/// A short trace of two threads, each with one turn.
fn short() -> Writer {
    let mut writer = Writer::new();
    for number in 0..2 {
        let turn = u64::from(number) + 1;
        let mut thread = writer.thread(number, turn);
        writer.put(&mut thread, turn, tag::TURN, &[turn]);
        for n in 0..10 {
            writer.usual(&mut thread, turn, Usual::access(tag::WRITE, 1, 0x1000 + n, n, 8));
        }
    }
    writer
}

fn problem(bytes: Vec<u8>) -> (usize, Option<trace::Error>) {
    match Reader::new(Cursor::new(bytes)) {
        Err(error) => (0, Some(error)),
        Ok(reader) => {
            let (good, bad): (Vec<_>, Vec<_>) = reader.partition(Result::is_ok);
            assert!(bad.len() <= 1, "after an error there is nothing");
            (good.len(), bad.into_iter().next().and_then(Result::err))
        }
    }
}

#[test]
fn what_is_no_trace_is_told_so() {
    for bytes in [vec![], b"hello".to_vec(), vec![0; 100_000]] {
        let (_, error) = problem(bytes);
        assert!(matches!(error.unwrap().problem, Problem::NoTrace));
    }
    let mut other = short().bytes;
    other[header::VERSION] = 9;
    let (_, error) = problem(other);
    let error = error.unwrap();
    assert!(matches!(error.problem, Problem::Version(9)), "{error}");
}

#[test]
fn a_file_that_was_cut_is_read_up_to_there() {
    let bytes = short().bytes;
    assert_eq!(problem(bytes.clone()).0, 22);
    assert!(problem(bytes.clone()).1.is_none());
    // In the middle of the second chunk's events: what comes before is there.
    let mut cut = bytes.clone();
    cut.truncate(2 * CHUNK + chunk::EVENTS + 20);
    let (good, error) = problem(cut);
    assert!((12..22).contains(&good), "{good}");
    assert!(matches!(error.unwrap().problem, Problem::Truncated));
    // A whole chunk is missing, and not the last one.
    let mut gap = bytes.clone();
    gap[CHUNK..2 * CHUNK].fill(0);
    let (good, error) = problem(gap);
    assert_eq!(good, 0);
    assert!(matches!(error.unwrap().problem, Problem::MissingTurn(1)));
}

#[test]
fn damage_is_told_with_its_place() {
    let mut bytes = short().bytes;
    let at = CHUNK + chunk::EVENTS + 2;
    // No event has this tag.
    bytes[at] = 60;
    let (good, error) = problem(bytes);
    assert_eq!(good, 1);
    let error = error.unwrap();
    assert_eq!(error.offset, at as u64);
    assert!(error.to_string().contains("damaged at byte"), "{error}");
}

#[test]
fn a_chunk_that_is_there_twice_counts_once() {
    // So it is after a process was killed while it copied a full chunk.
    let mut bytes = short().bytes;
    let copy = bytes[CHUNK..2 * CHUNK].to_vec();
    bytes.extend_from_slice(&copy[..CHUNK / 2]);
    assert_eq!(problem(bytes).0, 22);
}

#[test]
fn any_bytes_are_read_without_panic() {
    let mut random = fastrand::Rng::with_seed(5);
    let original = short().bytes;
    for _ in 0..2000 {
        let mut bytes = original.clone();
        for _ in 0..random.u32(1..60) {
            let base = [0, CHUNK, 2 * CHUNK][random.usize(0..3)];
            bytes[base + random.usize(0..100)] = random.u8(..);
        }
        bytes.truncate(random.usize(0..bytes.len() * 2));
        problem(bytes);
    }
    for magic in [layout::RAW, layout::PACKED] {
        for _ in 0..2000 {
            let mut bytes: Vec<u8> =
                (0..random.usize(8..300)).map(|_| random.u8(..) & random.u8(..)).collect();
            bytes[..8].copy_from_slice(&magic);
            if bytes.len() > 16 {
                bytes[8..12].copy_from_slice(&layout::VERSION.to_le_bytes());
            }
            problem(bytes);
        }
    }
}

#[test]
fn packing_keeps_zeros_at_the_end_of_what_was_read() {
    let mut writer = Writer::new();
    let mut thread = writer.thread(0, 1);
    writer.put(&mut thread, 1, tag::TURN, &[1]);
    let out = &mut writer.bytes[thread.chunk + thread.at..thread.chunk + CHUNK];
    encode::texts(out, tag::INPUT, &[7, 0x1000], &[&[0; layout::TEXT]]);
    let folder = std::env::temp_dir().join(format!("raddle-zeros-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (raw, packed) = (folder.join("raw"), folder.join("packed"));
    std::fs::write(&raw, &writer.bytes).unwrap();
    assert_eq!(trace::pack(&raw, &packed, &[]).unwrap().events, 2);
    let events = |path| Reader::open(path).unwrap().map(|record| record.unwrap().event).collect::<Vec<_>>();
    assert_eq!(events(&packed), events(&raw));
    assert!(matches!(&events(&packed)[1], Event::Input { bytes, .. } if bytes.len() == layout::TEXT));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn packing_keeps_events_sections_and_ending() {
    let folder = std::env::temp_dir().join(format!("raddle-trace-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (raw, packed, again) = (folder.join("raw"), folder.join("packed"), folder.join("again"));
    std::fs::write(&raw, short().bytes).unwrap();
    let section = |name: &str, byte| trace::Section { name: name.into(), bytes: vec![byte; 2_500_000] };
    trace::pack(&raw, &packed, &[section("one", 1)]).unwrap();
    // A packed trace can be packed again, with more.
    let counted = trace::pack(&packed, &again, &[section("two", 2)]).unwrap();
    assert_eq!(counted, trace::Packed { threads: 2, events: 22, lost: 0, children: 0 });
    let mut reader = Reader::open(&again).unwrap();
    assert_eq!(reader.sections().collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!(reader.section("one").unwrap(), Some(section("one", 1)));
    assert_eq!(reader.section("two").unwrap(), Some(section("two", 2)));
    assert_eq!(reader.header().ending, Ending::Exit(3));
    assert_eq!(reader.map(Result::unwrap).count(), 22);
    // Every cut is told.
    let bytes = std::fs::read(&again).unwrap();
    for length in (0..bytes.len()).step_by(97) {
        assert!(problem(bytes[..length].to_vec()).1.is_some(), "{length}");
    }
    assert!(trace::pack(&folder.join("none"), &packed, &[]).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}
