#!/bin/sh
# A solver that has no memory left as soon as there is something to remember.
asserted=
while read -r line; do
  case "$line" in
    "(assert"*) asserted=yes ;;
    "(check-sat"*) if [ "$asserted" ]; then echo '(error "out of memory")'; else echo sat; fi ;;
    "(echo "*) line="${line#*\"}"; echo "${line%\"*}" ;;
  esac
done
