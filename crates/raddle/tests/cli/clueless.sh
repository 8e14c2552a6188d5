#!/bin/sh
# A solver that never knows.
while read -r line; do
  case "$line" in
    "(check-sat"*) echo unknown ;;
    "(echo "*) line="${line#*\"}"; echo "${line%\"*}" ;;
  esac
done
