; What is inlined into an instrumented module: tests whether anybody listens, and only then a call. Its functions become internal
; when they are linked: those that are so before are left out unless something uses them already.

@__raddle_mode = external global i8
@__raddle_wanted = external global i8

%__raddle.module = type { i32, i32, [32 x i8], ptr, i32, ptr, i64 }
@__raddle_name = internal constant [@NAME_LENGTH@ x i8] c"@NAME@"
@__raddle_this = internal global %__raddle.module { i32 1, i32 @SITES@, [32 x i8] c"@HASH@", ptr @__raddle_name, i32 0, ptr null, i64 0 }

declare void @__raddle_module(ptr)
declare void @__raddle_before(i32)
declare void @__raddle_after(i32)
declare void @__raddle_away()
declare void @__raddle_again()
declare void @__raddle_read(i32, ptr, i64, i32)
declare void @__raddle_write(i32, ptr, i64, i32)
declare void @__raddle_update(i32, ptr, i64, i64, i32)
declare void @__raddle_copy(i32, ptr, ptr, i64)
declare void @__raddle_fill(i32, ptr, i32, i64)
declare void @__raddle_branch(i32, i32)
declare i32 @__raddle_enter(i32)
declare void @__raddle_leave(i32, i32)
declare void @__raddle_call(i32)
declare void @__raddle_back(i32, i64)
declare void @__raddle_input(i32, ptr, i64)

@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @__raddle_register, ptr null }]

define void @__raddle_register() nounwind {
  call void @__raddle_module(ptr @__raddle_this)
  ret void
}

define i32 @__raddle_site(i32 %number) alwaysinline nounwind {
  %base = load i32, ptr getelementptr (%__raddle.module, ptr @__raddle_this, i32 0, i32 4)
  %site = add i32 %base, %number
  ret i32 %site
}

define i1 @__raddle_listens(i8 %bits) alwaysinline nounwind {
  %mode = load i8, ptr @__raddle_mode
  %on = and i8 %mode, %bits
  %listens = icmp ne i8 %on, 0
  %expected = call i1 @llvm.expect.i1(i1 %listens, i1 false)
  ret i1 %expected
}
declare i1 @llvm.expect.i1(i1, i1)

; A round of a loop in which nothing is recorded. If somebody wants the turn, this thread goes on without it; `away` says so.
define void @__raddle_do_round(ptr %away) alwaysinline nounwind {
  %wanted = load atomic i8, ptr @__raddle_wanted monotonic, align 1
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

define void @__raddle_do_branch(i32 %number, i64 %on_what) alwaysinline nounwind {
  %on = call i1 @__raddle_listens(i8 1)
  br i1 %on, label %yes, label %no
yes:
  %site = call i32 @__raddle_site(i32 %number)
  %way = trunc i64 %on_what to i32
  call void @__raddle_branch(i32 %site, i32 %way)
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
