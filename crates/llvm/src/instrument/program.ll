; Where a module has variables of the run-time library that is to be a part of a program: the linker takes those of the library, if
; there is one.

@__raddle_mode = weak dso_local global i8 0
@__raddle_wanted = weak dso_local global i8 0

define ptr @__raddle_mode_place() alwaysinline nounwind {
  ret ptr @__raddle_mode
}

define ptr @__raddle_wanted_place() alwaysinline nounwind {
  ret ptr @__raddle_wanted
}

define void @__raddle_find() alwaysinline nounwind {
  ret void
}
