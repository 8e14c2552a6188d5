; What is inlined into an instrumented module: tests whether anybody listens, and only then does something. Accesses and branches that
; are as expected are counted on the spot, and all else is a call. Functions become internal when they are linked: those that are so
; before are left out unless something uses them already.

; Without the run-time library nobody listens, and nothing else of it is touched: what is declared here need not be there (`Editor::weaken`).
; Where the variables are that say whether somebody listens, is in `program.ll` and `library.ll`.

; The beginning of what a thread has (`rt/src/thread.rs`): whether it is busy, where events are counted, and what is expected
; (`trace/src/encode.rs`): the last slot; for each slot the next event, the last one, address, stride, and how far what is written is from
; what was read; and for each size what was read last. Then the places of the next event and of the limit. And what is known of memory (`trace/src/memory.rs`).
%__raddle.thread = type { i64, ptr, i32, [512 x i32], [256 x i32], [256 x i64], [256 x i64], [256 x i64], [4 x i64], i64, i64 }
@__raddle_thread = external thread_local(initialexec) global %__raddle.thread
@__raddle_memory = external global i8

%__raddle.module = type { i32, i32, [32 x i8], ptr, i32, ptr, i64 }
@__raddle_name = internal constant [@NAME_LENGTH@ x i8] c"@NAME@"
@__raddle_this = internal global %__raddle.module { i32 1, i32 @SITES@, [32 x i8] c"@HASH@", ptr @__raddle_name, i32 0, ptr null, i64 0 }

declare void @__raddle_module(ptr)
declare void @__raddle_pass()
declare void @__raddle_before(i32)
declare void @__raddle_after(i32)
declare void @__raddle_away()
declare void @__raddle_again()
declare i32 @__raddle_reading()
declare void @__raddle_have_read(i32, i32, ptr, i32, i32, i64)
declare void @__raddle_read(i32, ptr, i64, i32)
declare i64 @__raddle_told_read_1(i32, ptr, i64, i64)
declare i64 @__raddle_told_read_2(i32, ptr, i64, i64)
declare i64 @__raddle_told_read_4(i32, ptr, i64, i64)
declare i64 @__raddle_told_read_8(i32, ptr, i64, i64)
declare void @__raddle_write(i32, ptr, i64, i32)
declare i64 @__raddle_told_write_1(i32, ptr, i64, i64)
declare i64 @__raddle_told_write_2(i32, ptr, i64, i64)
declare i64 @__raddle_told_write_4(i32, ptr, i64, i64)
declare i64 @__raddle_told_write_8(i32, ptr, i64, i64)
declare void @__raddle_update(i32, ptr, i64, i64, i32)
declare void @__raddle_copy(i32, ptr, ptr, i64)
declare void @__raddle_fill(i32, ptr, i32, i64)
declare i64 @__raddle_told_way(i32, i64, i64)
declare i32 @__raddle_enter(i32)
declare void @__raddle_leave(i32, i32)
declare void @__raddle_call(i32)
declare void @__raddle_back(i32, i64)
declare void @__raddle_input(i32, ptr, i64)
declare void @__raddle_exec(i32)
declare void @__raddle_clone(i32)
declare void @__raddle_child(i32, i64)

@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @__raddle_register, ptr null }]

define void @__raddle_register() nounwind {
  %is_there = icmp ne ptr @__raddle_module, null
  br i1 %is_there, label %there, label %alone
there:
  ; A variable of threads that nothing uses would be no such variable for the linker, which wants it to be one everywhere or nowhere.
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @__raddle_thread)
  load volatile i64, ptr %thread
  call void @__raddle_find()
  call void @__raddle_module(ptr @__raddle_this)
  ret void
alone:
  ret void
}

define i32 @__raddle_site(i32 %number) alwaysinline nounwind {
  %base = load i32, ptr getelementptr (%__raddle.module, ptr @__raddle_this, i32 0, i32 4), !invariant.load !{}
  %site = add i32 %base, %number
  ret i32 %site
}

define i1 @__raddle_listens(i8 %bits) alwaysinline nounwind {
  %place = call ptr @__raddle_mode_place()
  %mode = load i8, ptr %place
  %on = and i8 %mode, %bits
  %listens = icmp ne i8 %on, 0
  %expected = call i1 @llvm.expect.i1(i1 %listens, i1 false)
  ret i1 %expected
}
declare i1 @llvm.expect.i1(i1, i1)
declare void @llvm.trap()
declare i32 @llvm.cttz.i32(i32, i1)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare i64 @llvm.read_register.i64(metadata)

; Events that are told together (`group.rs`). What is kept meanwhile: the last slot, how many events are to be counted at the last one that was
; written, and whether this thread may write events: it may not if it has interrupted itself.
%__raddle.state = type { i32, i32, i1 }

define %__raddle.state @__raddle_open() alwaysinline nounwind {
entry:
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @__raddle_thread)
  %busy = load atomic i64, ptr %thread monotonic, align 8
  %is_idle = icmp eq i64 %busy, 0
  %idle = call i1 @llvm.expect.i1(i1 %is_idle, i1 true)
  br i1 %idle, label %begin, label %done
begin:
  %stack = call i64 @llvm.read_register.i64(metadata !{!"@STACK@"})
  store atomic i64 %stack, ptr %thread monotonic, align 8
  fence syncscope("singlethread") seq_cst
  %last_place = getelementptr %__raddle.thread, ptr %thread, i64 0, i32 2
  %last_slot = load i32, ptr %last_place
  br label %done
done:
  ; A slot that is closed, after which nothing is expected.
  %last = phi i32 [ 256, %entry ], [ %last_slot, %begin ]
  %with_last = insertvalue %__raddle.state { i32 0, i32 0, i1 false }, i32 %last, 0
  %state = insertvalue %__raddle.state %with_last, i1 %idle, 2
  ret %__raddle.state %state
}

; Counts what is to be counted; the last slot after that, which is closed if nothing more can be counted there.
define i32 @__raddle_settle(%__raddle.state %state) alwaysinline nounwind {
entry:
  %last = extractvalue %__raddle.state %state, 0
  %pending = extractvalue %__raddle.state %state, 1
  %some = icmp ne i32 %pending, 0
  br i1 %some, label %add, label %done
add:
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @__raddle_thread)
  %last_place = getelementptr %__raddle.thread, ptr %thread, i64 0, i32 2
  %count_place = getelementptr %__raddle.thread, ptr %thread, i64 0, i32 1
  %count_at = load ptr, ptr %count_place
  %count = load i8, ptr %count_at
  %new = trunc i32 %pending to i8
  %more = add i8 %count, %new
  store i8 %more, ptr %count_at
  store i32 %last, ptr %last_place
  ; If so many are counted, the next event is written.
  %is_full = icmp slt i8 %more, 0
  %full = call i1 @llvm.expect.i1(i1 %is_full, i1 false)
  br i1 %full, label %close, label %done
close:
  %closed = or i32 %last, 256
  store i32 %closed, ptr %last_place
  br label %done
done:
  %now = phi i32 [ %last, %entry ], [ %last, %add ], [ %closed, %close ]
  ret i32 %now
}

; All is told. Whoever has waited too long may go on now: what the events tell was done before.
define void @__raddle_close(%__raddle.state %state) alwaysinline nounwind {
  %mine = extractvalue %__raddle.state %state, 2
  %expected = call i1 @llvm.expect.i1(i1 %mine, i1 true)
  br i1 %expected, label %end, label %done
end:
  %last = call i32 @__raddle_settle(%__raddle.state %state)
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @__raddle_thread)
  fence syncscope("singlethread") seq_cst
  store atomic i64 0, ptr %thread monotonic, align 8
  %wanted_place = call ptr @__raddle_wanted_place()
  %wanted = load atomic i8, ptr %wanted_place monotonic, align 1
  %is_late = icmp ugt i8 %wanted, 1
  %late = call i1 @llvm.expect.i1(i1 %is_late, i1 false)
  br i1 %late, label %pass, label %done
pass:
  call void @__raddle_pass()
  br label %done
done:
  ret void
}

; The state as a number, and the other way round: as `rt` has it.
define i64 @__raddle_packed(%__raddle.state %state) alwaysinline nounwind {
  %last32 = extractvalue %__raddle.state %state, 0
  %pending32 = extractvalue %__raddle.state %state, 1
  %mine1 = extractvalue %__raddle.state %state, 2
  %last = zext i32 %last32 to i64
  %pending = zext i32 %pending32 to i64
  %mine = zext i1 %mine1 to i64
  %high = shl i64 %pending, 32
  %top = shl i64 %mine, 63
  %both = or i64 %last, %high
  %all = or i64 %both, %top
  ret i64 %all
}

define %__raddle.state @__raddle_unpacked(i64 %packed) alwaysinline nounwind {
  %last = trunc i64 %packed to i32
  %mine = icmp slt i64 %packed, 0
  %with_last = insertvalue %__raddle.state { i32 0, i32 0, i1 false }, i32 %last, 0
  %state = insertvalue %__raddle.state %with_last, i1 %mine, 2
  ret %__raddle.state %state
}

; Notes an event to be counted, if it is as expected, as `trace::encode::Usual::count` does; else the state says that it is not: nothing is to be
; counted. An event without a size has no value. If only the value of a write is another one, that is written down here, too, as
; `trace::encode::Usual::write` does. Whether it was told, and the state.
define { i1, %__raddle.state } @__raddle_tell(%__raddle.state %state, i32 %number, i32 %tag, i64 %at, i64 %value, i32 %size, i1 %writes) alwaysinline nounwind {
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @__raddle_thread)
  %last = extractvalue %__raddle.state %state, 0
  %pending = extractvalue %__raddle.state %state, 1
  %last_slot = zext i32 %last to i64
  %next_place = getelementptr %__raddle.thread, ptr %thread, i64 0, i32 3, i64 %last_slot
  %next = load i32, ptr %next_place
  %base = load i32, ptr getelementptr (%__raddle.module, ptr @__raddle_this, i32 0, i32 4), !invariant.load !{}
  %site = add i32 %base, %number
  %tagged = shl i32 %tag, 26
  %key_number = add i32 %tagged, %number
  %key = add i32 %base, %key_number
  %is_next = icmp eq i32 %next, %key
  %goes_on = call i1 @llvm.expect.i1(i1 %is_next, i1 true)
  br i1 %goes_on, label %place, label %other
place:
  %slot32 = and i32 %site, 255
  %slot = zext i32 %slot32 to i64
  %address_place = getelementptr %__raddle.thread, ptr %thread, i64 0, i32 5, i64 %slot
  %address = load i64, ptr %address_place
  %is_there = icmp eq i64 %address, %at
  %there = call i1 @llvm.expect.i1(i1 %is_there, i1 true)
  br i1 %there, label %content, label %other
content:
  %low = and i64 %at, 16777215
  %held_place = getelementptr i8, ptr @__raddle_memory, i64 %low
  %power = call i32 @llvm.cttz.i32(i32 %size, i1 false)
  %read_index = and i32 %power, 3
  %read_place = getelementptr %__raddle.thread, ptr %thread, i64 0, i32 8, i32 %read_index
  %stride_place = getelementptr %__raddle.thread, ptr %thread, i64 0, i32 6, i64 %slot
  %is_access = icmp ne i32 %size, 0
  br i1 %is_access, label %access, label %commit
access:
  br i1 %writes, label %written, label %read
written:
  %change_place = getelementptr %__raddle.thread, ptr %thread, i64 0, i32 7, i64 %slot
  %change = load i64, ptr %change_place
  %seen = load i64, ptr %read_place
  %foretold = add i64 %seen, %change
  %differs = xor i64 %foretold, %value
  %bits = shl i32 %size, 3
  %unused_bits = sub i32 64, %bits
  %unused = zext i32 %unused_bits to i64
  %differs_in = shl i64 %differs, %unused
  %is_foretold = icmp eq i64 %differs_in, 0
  %known_write = call i1 @llvm.expect.i1(i1 %is_foretold, i1 true)
  br i1 %known_write, label %hold, label %new
hold:
  call void @__raddle_hold(ptr %held_place, i64 %value, i32 %size)
  br label %commit
new:
  %cursor_place = getelementptr %__raddle.thread, ptr %thread, i64 0, i32 9
  %cursor = load i64, ptr %cursor_place
  %limit_place = getelementptr %__raddle.thread, ptr %thread, i64 0, i32 10
  %limit = load i64, ptr %limit_place
  %has_room = icmp ult i64 %cursor, %limit
  %room = call i1 @llvm.expect.i1(i1 %has_room, i1 true)
  br i1 %room, label %write, label %other
write:
  %settled = call i32 @__raddle_settle(%__raddle.state %state)
  %event = inttoptr i64 %cursor to ptr
  call void @__raddle_put(ptr %event, i32 %tag, i64 %value, i32 %size)
  call void @__raddle_hold(ptr %held_place, i64 %value, i32 %size)
  %own_place = getelementptr %__raddle.thread, ptr %thread, i64 0, i32 4, i64 %slot
  store i32 %key, ptr %own_place
  %changed = sub i64 %value, %seen
  store i64 %changed, ptr %change_place
  %far = load i64, ptr %stride_place
  %onwards = add i64 %at, %far
  store i64 %onwards, ptr %address_place
  %last_place = getelementptr %__raddle.thread, ptr %thread, i64 0, i32 2
  store i32 %slot32, ptr %last_place
  %count_place = getelementptr %__raddle.thread, ptr %thread, i64 0, i32 1
  %new_count = add i64 %cursor, 2
  %new_count_at = inttoptr i64 %new_count to ptr
  store ptr %new_count_at, ptr %count_place
  %size64 = zext i32 %size to i64
  %length = add i64 %size64, 3
  %next_cursor = add i64 %cursor, %length
  store i64 %next_cursor, ptr %cursor_place
  br label %told
read:
  switch i32 %size, label %commit [ i32 1, label %one  i32 2, label %two  i32 4, label %four  i32 8, label %eight ]
one:
  %held1 = load i8, ptr %held_place, align 1
  %wide1 = zext i8 %held1 to i64
  br label %compare
two:
  %held2 = load i16, ptr %held_place, align 1
  %wide2 = zext i16 %held2 to i64
  br label %compare
four:
  %held4 = load i32, ptr %held_place, align 1
  %wide4 = zext i32 %held4 to i64
  br label %compare
eight:
  %held8 = load i64, ptr %held_place, align 1
  br label %compare
compare:
  %held = phi i64 [ %wide1, %one ], [ %wide2, %two ], [ %wide4, %four ], [ %held8, %eight ]
  %is_held = icmp eq i64 %held, %value
  %known = call i1 @llvm.expect.i1(i1 %is_held, i1 true)
  br i1 %known, label %see, label %other
see:
  store i64 %value, ptr %read_place
  br label %commit
commit:
  %stride = load i64, ptr %stride_place
  %further = add i64 %at, %stride
  store i64 %further, ptr %address_place
  %more = add i32 %pending, 1
  br label %told
told:
  %now_pending = phi i32 [ 0, %write ], [ %more, %commit ]
  ; Only who may write comes here.
  %with_last = insertvalue %__raddle.state { i32 0, i32 0, i1 true }, i32 %slot32, 0
  %with_pending = insertvalue %__raddle.state %with_last, i32 %now_pending, 1
  br label %done
other:
  br label %done
done:
  %was_told = phi i1 [ true, %told ], [ false, %other ]
  %now = phi %__raddle.state [ %with_pending, %told ], [ %state, %other ]
  %result = insertvalue { i1, %__raddle.state } poison, i1 %was_told, 0
  %whole = insertvalue { i1, %__raddle.state } %result, %__raddle.state %now, 1
  ret { i1, %__raddle.state } %whole
}

define %__raddle.state @__raddle_tell_read_1(%__raddle.state %state, i32 %number, ptr %at, i64 %value) alwaysinline nounwind {
entry:
  %address = ptrtoint ptr %at to i64
  %result = call { i1, %__raddle.state } @__raddle_tell(%__raddle.state %state, i32 %number, i32 1, i64 %address, i64 %value, i32 1, i1 false)
  %told = extractvalue { i1, %__raddle.state } %result, 0
  %now = extractvalue { i1, %__raddle.state } %result, 1
  br i1 %told, label %done, label %other
other:
  %site = call i32 @__raddle_site(i32 %number)
  %packed = call i64 @__raddle_packed(%__raddle.state %now)
  %after = call i64 @__raddle_told_read_1(i32 %site, ptr %at, i64 %value, i64 %packed)
  %then = call %__raddle.state @__raddle_unpacked(i64 %after)
  br label %done
done:
  %state_now = phi %__raddle.state [ %now, %entry ], [ %then, %other ]
  ret %__raddle.state %state_now
}

define %__raddle.state @__raddle_tell_read_2(%__raddle.state %state, i32 %number, ptr %at, i64 %value) alwaysinline nounwind {
entry:
  %address = ptrtoint ptr %at to i64
  %result = call { i1, %__raddle.state } @__raddle_tell(%__raddle.state %state, i32 %number, i32 2, i64 %address, i64 %value, i32 2, i1 false)
  %told = extractvalue { i1, %__raddle.state } %result, 0
  %now = extractvalue { i1, %__raddle.state } %result, 1
  br i1 %told, label %done, label %other
other:
  %site = call i32 @__raddle_site(i32 %number)
  %packed = call i64 @__raddle_packed(%__raddle.state %now)
  %after = call i64 @__raddle_told_read_2(i32 %site, ptr %at, i64 %value, i64 %packed)
  %then = call %__raddle.state @__raddle_unpacked(i64 %after)
  br label %done
done:
  %state_now = phi %__raddle.state [ %now, %entry ], [ %then, %other ]
  ret %__raddle.state %state_now
}

define %__raddle.state @__raddle_tell_read_4(%__raddle.state %state, i32 %number, ptr %at, i64 %value) alwaysinline nounwind {
entry:
  %address = ptrtoint ptr %at to i64
  %result = call { i1, %__raddle.state } @__raddle_tell(%__raddle.state %state, i32 %number, i32 3, i64 %address, i64 %value, i32 4, i1 false)
  %told = extractvalue { i1, %__raddle.state } %result, 0
  %now = extractvalue { i1, %__raddle.state } %result, 1
  br i1 %told, label %done, label %other
other:
  %site = call i32 @__raddle_site(i32 %number)
  %packed = call i64 @__raddle_packed(%__raddle.state %now)
  %after = call i64 @__raddle_told_read_4(i32 %site, ptr %at, i64 %value, i64 %packed)
  %then = call %__raddle.state @__raddle_unpacked(i64 %after)
  br label %done
done:
  %state_now = phi %__raddle.state [ %now, %entry ], [ %then, %other ]
  ret %__raddle.state %state_now
}

define %__raddle.state @__raddle_tell_read_8(%__raddle.state %state, i32 %number, ptr %at, i64 %value) alwaysinline nounwind {
entry:
  %address = ptrtoint ptr %at to i64
  %result = call { i1, %__raddle.state } @__raddle_tell(%__raddle.state %state, i32 %number, i32 4, i64 %address, i64 %value, i32 8, i1 false)
  %told = extractvalue { i1, %__raddle.state } %result, 0
  %now = extractvalue { i1, %__raddle.state } %result, 1
  br i1 %told, label %done, label %other
other:
  %site = call i32 @__raddle_site(i32 %number)
  %packed = call i64 @__raddle_packed(%__raddle.state %now)
  %after = call i64 @__raddle_told_read_8(i32 %site, ptr %at, i64 %value, i64 %packed)
  %then = call %__raddle.state @__raddle_unpacked(i64 %after)
  br label %done
done:
  %state_now = phi %__raddle.state [ %now, %entry ], [ %then, %other ]
  ret %__raddle.state %state_now
}

define %__raddle.state @__raddle_tell_write_1(%__raddle.state %state, i32 %number, ptr %at, i64 %value) alwaysinline nounwind {
entry:
  %address = ptrtoint ptr %at to i64
  %result = call { i1, %__raddle.state } @__raddle_tell(%__raddle.state %state, i32 %number, i32 6, i64 %address, i64 %value, i32 1, i1 true)
  %told = extractvalue { i1, %__raddle.state } %result, 0
  %now = extractvalue { i1, %__raddle.state } %result, 1
  br i1 %told, label %done, label %other
other:
  %site = call i32 @__raddle_site(i32 %number)
  %packed = call i64 @__raddle_packed(%__raddle.state %now)
  %after = call i64 @__raddle_told_write_1(i32 %site, ptr %at, i64 %value, i64 %packed)
  %then = call %__raddle.state @__raddle_unpacked(i64 %after)
  br label %done
done:
  %state_now = phi %__raddle.state [ %now, %entry ], [ %then, %other ]
  ret %__raddle.state %state_now
}

define %__raddle.state @__raddle_tell_write_2(%__raddle.state %state, i32 %number, ptr %at, i64 %value) alwaysinline nounwind {
entry:
  %address = ptrtoint ptr %at to i64
  %result = call { i1, %__raddle.state } @__raddle_tell(%__raddle.state %state, i32 %number, i32 7, i64 %address, i64 %value, i32 2, i1 true)
  %told = extractvalue { i1, %__raddle.state } %result, 0
  %now = extractvalue { i1, %__raddle.state } %result, 1
  br i1 %told, label %done, label %other
other:
  %site = call i32 @__raddle_site(i32 %number)
  %packed = call i64 @__raddle_packed(%__raddle.state %now)
  %after = call i64 @__raddle_told_write_2(i32 %site, ptr %at, i64 %value, i64 %packed)
  %then = call %__raddle.state @__raddle_unpacked(i64 %after)
  br label %done
done:
  %state_now = phi %__raddle.state [ %now, %entry ], [ %then, %other ]
  ret %__raddle.state %state_now
}

define %__raddle.state @__raddle_tell_write_4(%__raddle.state %state, i32 %number, ptr %at, i64 %value) alwaysinline nounwind {
entry:
  %address = ptrtoint ptr %at to i64
  %result = call { i1, %__raddle.state } @__raddle_tell(%__raddle.state %state, i32 %number, i32 8, i64 %address, i64 %value, i32 4, i1 true)
  %told = extractvalue { i1, %__raddle.state } %result, 0
  %now = extractvalue { i1, %__raddle.state } %result, 1
  br i1 %told, label %done, label %other
other:
  %site = call i32 @__raddle_site(i32 %number)
  %packed = call i64 @__raddle_packed(%__raddle.state %now)
  %after = call i64 @__raddle_told_write_4(i32 %site, ptr %at, i64 %value, i64 %packed)
  %then = call %__raddle.state @__raddle_unpacked(i64 %after)
  br label %done
done:
  %state_now = phi %__raddle.state [ %now, %entry ], [ %then, %other ]
  ret %__raddle.state %state_now
}

define %__raddle.state @__raddle_tell_write_8(%__raddle.state %state, i32 %number, ptr %at, i64 %value) alwaysinline nounwind {
entry:
  %address = ptrtoint ptr %at to i64
  %result = call { i1, %__raddle.state } @__raddle_tell(%__raddle.state %state, i32 %number, i32 9, i64 %address, i64 %value, i32 8, i1 true)
  %told = extractvalue { i1, %__raddle.state } %result, 0
  %now = extractvalue { i1, %__raddle.state } %result, 1
  br i1 %told, label %done, label %other
other:
  %site = call i32 @__raddle_site(i32 %number)
  %packed = call i64 @__raddle_packed(%__raddle.state %now)
  %after = call i64 @__raddle_told_write_8(i32 %site, ptr %at, i64 %value, i64 %packed)
  %then = call %__raddle.state @__raddle_unpacked(i64 %after)
  br label %done
done:
  %state_now = phi %__raddle.state [ %now, %entry ], [ %then, %other ]
  ret %__raddle.state %state_now
}

define %__raddle.state @__raddle_tell_way(%__raddle.state %state, i32 %number, i64 %on_what) alwaysinline nounwind {
entry:
  %way32 = trunc i64 %on_what to i32
  %way = zext i32 %way32 to i64
  %result = call { i1, %__raddle.state } @__raddle_tell(%__raddle.state %state, i32 %number, i32 16, i64 %way, i64 0, i32 0, i1 false)
  %told = extractvalue { i1, %__raddle.state } %result, 0
  %now = extractvalue { i1, %__raddle.state } %result, 1
  br i1 %told, label %done, label %other
other:
  %site = call i32 @__raddle_site(i32 %number)
  %packed = call i64 @__raddle_packed(%__raddle.state %now)
  %after = call i64 @__raddle_told_way(i32 %site, i64 %way, i64 %packed)
  %then = call %__raddle.state @__raddle_unpacked(i64 %after)
  br label %done
done:
  %state_now = phi %__raddle.state [ %now, %entry ], [ %then, %other ]
  ret %__raddle.state %state_now
}

; What is known of memory: an access of 1, 2, 4 or 8 bytes leaves this value there.
define void @__raddle_hold(ptr %place, i64 %value, i32 %size) alwaysinline nounwind {
  switch i32 %size, label %end [ i32 1, label %one  i32 2, label %two  i32 4, label %four  i32 8, label %eight ]
one:
  %value1 = trunc i64 %value to i8
  store i8 %value1, ptr %place, align 1
  br label %end
two:
  %value2 = trunc i64 %value to i16
  store i16 %value2, ptr %place, align 1
  br label %end
four:
  %value4 = trunc i64 %value to i32
  store i32 %value4, ptr %place, align 1
  br label %end
eight:
  store i64 %value, ptr %place, align 1
  br label %end
end:
  ret void
}

; The bytes of an event in which nothing but the value is not as expected: the tag, lengths, a count of 0, and all of the value. The store that
; has the tag is the last one.
define void @__raddle_put(ptr %event, i32 %tag, i64 %value, i32 %size) alwaysinline nounwind {
  %is_word = icmp eq i32 %size, 8
  %code = select i1 %is_word, i32 7, i32 %size
  %lengths = shl i32 %code, 13
  %head32 = or i32 %tag, %lengths
  %head = zext i32 %head32 to i64
  %shifted = shl i64 %value, 24
  %first = or i64 %head, %shifted
  br i1 %is_word, label %long, label %short
short:
  store i64 %first, ptr %event, align 1
  ret void
long:
  %rest = getelementptr i8, ptr %event, i64 3
  store i64 %value, ptr %rest, align 1
  fence syncscope("singlethread") seq_cst
  %start = trunc i64 %first to i32
  store i32 %start, ptr %event, align 1
  ret void
}

; A round of a loop in which nothing is recorded. If somebody wants the turn, this thread goes on without it; `away` says so.
define void @__raddle_do_round(ptr %away) alwaysinline nounwind {
  %wanted_place = call ptr @__raddle_wanted_place()
  %wanted = load atomic i8, ptr %wanted_place monotonic, align 1
  %is = icmp ne i8 %wanted, 0
  %expected = call i1 @llvm.expect.i1(i1 %is, i1 false)
  br i1 %expected, label %yes, label %no
yes:
  call void @__raddle_away()
  store i8 1, ptr %away
  br label %no
no:
  ret void
}

; Behind such a loop.
define void @__raddle_do_again(ptr %away) alwaysinline nounwind {
  %was = load i8, ptr %away
  %is = icmp ne i8 %was, 0
  %expected = call i1 @llvm.expect.i1(i1 %is, i1 false)
  br i1 %expected, label %yes, label %no
yes:
  call void @__raddle_again()
  store i8 0, ptr %away
  br label %no
no:
  ret void
}

; A loop begins that does nothing but read.
define i32 @__raddle_do_reading() alwaysinline nounwind {
entry:
  %on = call i1 @__raddle_listens(i8 1)
  br i1 %on, label %yes, label %no
yes:
  %token = call i32 @__raddle_reading()
  br label %no
no:
  %result = phi i32 [ 0, %entry ], [ %token, %yes ]
  ret i32 %result
}

; It was left after so many rounds: what it has read, and how many of these reads once more.
define void @__raddle_do_have_read(i32 %token, ptr %told, i32 %count, i32 %again, i64 %rounds) alwaysinline nounwind {
  %is = icmp ne i32 %token, 0
  %expected = call i1 @llvm.expect.i1(i1 %is, i1 false)
  br i1 %expected, label %yes, label %no
yes:
  %base = call i32 @__raddle_site(i32 0)
  call void @__raddle_have_read(i32 %token, i32 %base, ptr %told, i32 %count, i32 %again, i64 %rounds)
  br label %no
no:
  ret void
}

define void @__raddle_do_after(i32 %number) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 2)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  call void @__raddle_after(i32 %site)
  br label %no
no:
  ret void
}

define void @__raddle_do_read(i32 %number, ptr %at, i64 %value, i32 %size) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 1)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  call void @__raddle_read(i32 %site, ptr %at, i64 %value, i32 %size)
  br label %no
no:
  ret void
}

define void @__raddle_do_write(i32 %number, ptr %at, i64 %value, i32 %size) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 1)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  call void @__raddle_write(i32 %site, ptr %at, i64 %value, i32 %size)
  br label %no
no:
  ret void
}

; The new value is read again: while events are wanted, nobody else runs.
define void @__raddle_do_update(i32 %number, ptr %at, i64 %old, i32 %size) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 1)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  switch i32 %size, label %other [ i32 1, label %one  i32 2, label %two  i32 4, label %four  i32 8, label %eight ]
one:
  %new1 = load i8, ptr %at, align 1
  %wide1 = zext i8 %new1 to i64
  br label %tell
two:
  %new2 = load i16, ptr %at, align 1
  %wide2 = zext i16 %new2 to i64
  br label %tell
four:
  %new4 = load i32, ptr %at, align 1
  %wide4 = zext i32 %new4 to i64
  br label %tell
eight:
  %new8 = load i64, ptr %at, align 1
  br label %tell
other:
  br label %tell
tell:
  %new = phi i64 [ %wide1, %one ], [ %wide2, %two ], [ %wide4, %four ], [ %new8, %eight ], [ 0, %other ]
  call void @__raddle_update(i32 %site, ptr %at, i64 %old, i64 %new, i32 %size)
  br label %no
no:
  ret void
}

define void @__raddle_do_copy(i32 %number, ptr %to, ptr %from, i64 %bytes) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 1)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  call void @__raddle_copy(i32 %site, ptr %to, ptr %from, i64 %bytes)
  br label %no
no:
  ret void
}

define void @__raddle_do_fill(i32 %number, ptr %to, i8 %byte, i64 %bytes) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 1)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  %wide = zext i8 %byte to i32
  call void @__raddle_fill(i32 %site, ptr %to, i32 %wide, i64 %bytes)
  br label %no
no:
  ret void
}

define i32 @__raddle_do_enter(i32 %number) alwaysinline nounwind {
entry:
  %on = call i1 @__raddle_listens(i8 -1)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  %token = call i32 @__raddle_enter(i32 %site)
  br label %no
no:
  %result = phi i32 [ 0, %entry ], [ %token, %yes ]
  ret i32 %result
}

define void @__raddle_do_leave(i32 %number, i32 %token) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 -1)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  call void @__raddle_leave(i32 %site, i32 %token)
  br label %no
no:
  ret void
}

define void @__raddle_do_call(i32 %number) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 -1)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  call void @__raddle_call(i32 %site)
  br label %no
no:
  ret void
}

define void @__raddle_do_back(i32 %number, i64 %result) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 -1)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  call void @__raddle_back(i32 %site, i64 %result)
  br label %no
no:
  ret void
}

define void @__raddle_do_exec(i32 %number) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 1)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  call void @__raddle_exec(i32 %site)
  br label %no
no:
  ret void
}

; `clone` is about to be called. With CLONE_VM, and without CLONE_SETTLS, the process has memory and thread-local data of this one.
define void @__raddle_do_clone(i32 %number, i64 %flags) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 1)
  %shared = and i64 %flags, 524544
  %shares = icmp eq i64 %shared, 256
  %told = and i1 %on, %shares
  br i1 %told, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  call void @__raddle_clone(i32 %site)
  br label %no
no:
  ret void
}

define void @__raddle_do_child(i32 %number, i64 %child) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 1)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  call void @__raddle_child(i32 %site, i64 %child)
  br label %no
no:
  ret void
}

; The number of the process that a library function made, from what it returned, which is an int or a pointer.
define i64 @__raddle_child_number(i64 %result) alwaysinline nounwind {
  %number = trunc i64 %result to i32
  %child = sext i32 %number to i64
  ret i64 %child
}

define i64 @__raddle_child_unless_failed(i64 %result) alwaysinline nounwind {
  %number = trunc i64 %result to i32
  %failed = icmp eq i32 %number, -1
  %child = sext i1 %failed to i64
  ret i64 %child
}

define i64 @__raddle_child_unless_zero(i64 %result) alwaysinline nounwind {
  %failed = icmp eq i64 %result, 0
  %child = sext i1 %failed to i64
  ret i64 %child
}

define i64 @__raddle_child_if_zero(i64 %result) alwaysinline nounwind {
  %number = trunc i64 %result to i32
  %failed = icmp ne i32 %number, 0
  %child = sext i1 %failed to i64
  ret i64 %child
}

; What a library function wrote, and how many bytes that is, by what it returned. All ones mean a text.
define void @__raddle_do_input(i32 %number, ptr %to, i64 %length) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 1)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  call void @__raddle_input(i32 %site, ptr %to, i64 %length)
  br label %no
no:
  ret void
}

define i64 @__raddle_length_result(i64 %result, i64 %size) alwaysinline nounwind {
  %some = icmp sgt i64 %result, 0
  %length = select i1 %some, i64 %result, i64 0
  ret i64 %length
}

define i64 @__raddle_length_items(i64 %result, i64 %size) alwaysinline nounwind {
  %length = mul i64 %result, %size
  ret i64 %length
}

define i64 @__raddle_length_text(i64 %result, i64 %size) alwaysinline nounwind {
  %some = icmp ne i64 %result, 0
  %length = sext i1 %some to i64
  ret i64 %length
}

; The result is an int: what is above it does not count.
define i64 @__raddle_length_if_zero(i64 %result, i64 %size) alwaysinline nounwind {
  %number = trunc i64 %result to i32
  %zero = icmp eq i32 %number, 0
  %length = select i1 %zero, i64 %size, i64 0
  ret i64 %length
}

define i64 @__raddle_length_if_not(i64 %result, i64 %size) alwaysinline nounwind {
  %some = icmp ne i64 %result, 0
  %length = select i1 %some, i64 %size, i64 0
  ret i64 %length
}
