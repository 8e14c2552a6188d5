; What is inlined besides into a module that waits for its turns, and does nothing else.

declare void @__raddle_begin(i32)
declare i64 @__raddle_given(i32, i64, ptr, i32)

; Where a thread is on its schedule: the sites of its next events, and how deep it is in one (`gate::Here` of the run-time library).
; It is not `hidden`: then even a module without a place to wait at would ask for it, and not as for a variable of threads.
@__raddle_here = external dso_local thread_local(initialexec) global { ptr, i32 }

; An instruction that waits for its turn. If it is the next event of its thread, waits for nobody and nobody waits for it, it is
; only counted.
define void @__raddle_do_step(i32 %number) alwaysinline nounwind {
  %site = call i32 @__raddle_site(i32 %number)
  %next = load ptr, ptr @__raddle_here
  %nowhere = icmp eq ptr %next, null
  br i1 %nowhere, label %other, label %somewhere
somewhere:
  %expected = load i32, ptr %next
  %same = icmp eq i32 %expected, %site
  %likely = call i1 @llvm.expect.i1(i1 %same, i1 true)
  br i1 %likely, label %quiet, label %other
quiet:
  %then = getelementptr i32, ptr %next, i64 1
  store ptr %then, ptr @__raddle_here
  ret void
other:
  %on = call i1 @__raddle_listens(i8 2)
  br i1 %on, label %yes, label %no
yes:
  call void @__raddle_before(i32 %site)
  br label %no
no:
  ret void
}

define void @__raddle_do_stepped(i32 %number) alwaysinline nounwind {
  %inside = load i32, ptr getelementptr ({ ptr, i32 }, ptr @__raddle_here, i32 0, i32 1)
  %was_quiet = icmp eq i32 %inside, 0
  %likely = call i1 @llvm.expect.i1(i1 %was_quiet, i1 true)
  br i1 %likely, label %no, label %yes
yes:
  %site = call i32 @__raddle_site(i32 %number)
  call void @__raddle_after(i32 %site)
  br label %no
no:
  ret void
}

define void @__raddle_do_begin(i32 %number) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 2)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  call void @__raddle_begin(i32 %site)
  br label %no
no:
  ret void
}

; What a call gave that may give anything, as a number, and where it wrote so many of them.
define i64 @__raddle_do_given(i32 %number, i64 %result, ptr %to, i32 %count) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 2)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  %told = call i64 @__raddle_given(i32 %site, i64 %result, ptr %to, i32 %count)
  br label %no
no:
  %given = phi i64 [ %result, %0 ], [ %told, %yes ]
  ret i64 %given
}
