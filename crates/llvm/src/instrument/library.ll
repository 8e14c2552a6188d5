; Where a module has variables of the run-time library that can be a part of a shared library: in the program that loads it, if that has
; any. So the shared library needs none when it is linked, and nobody can take what it has itself for what the program has.

@__raddle_mode = external global i8
@__raddle_wanted = external global i8
@__raddle_nothing = internal constant i8 0
@__raddle_mode_found = internal global ptr @__raddle_nothing
@__raddle_wanted_found = internal global ptr @__raddle_nothing

define ptr @__raddle_mode_place() alwaysinline nounwind {
  %place = load ptr, ptr @__raddle_mode_found, !invariant.load !{}
  ret ptr %place
}

define ptr @__raddle_wanted_place() alwaysinline nounwind {
  %place = load ptr, ptr @__raddle_wanted_found, !invariant.load !{}
  ret ptr %place
}

; Called when the module is registered, before anything else of it runs.
define void @__raddle_find() alwaysinline nounwind {
  store ptr @__raddle_mode, ptr @__raddle_mode_found
  store ptr @__raddle_wanted, ptr @__raddle_wanted_found
  ret void
}
