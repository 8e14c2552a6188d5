#!/bin/sh
# A solver that dies for want of memory as soon as there is something to remember.
asserted=
while read -r line; do
  case "$line" in
    "(assert"*) asserted=yes ;;
    "(check-sat"*) if [ "$asserted" ]; then echo "std::bad_alloc" >&2; kill -ABRT $$; else echo sat; fi ;;
    "(echo "*) line="${line#*\"}"; echo "${line%\"*}" ;;
  esac
done
