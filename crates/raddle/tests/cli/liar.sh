#!/bin/sh
# A solver that says of everything that it cannot be.
while read -r line; do
  case "$line" in
    "(check-sat"*) echo unsat ;;
    "(echo "*) line="${line#*\"}"; echo "${line%\"*}" ;;
  esac
done
