#!/bin/sh
# Stands in for `raddle` in the tests of the harness: `explore FILE` reports each line that says `assert false`.

command="$1"
for word in "$@"; do file="$word"; done

case "$command" in
explore) ;;
hang) sleep 100 ;;
crash) kill -9 $$ ;;
*)
  echo "error: unknown command '$command'" >&2
  exit 2
  ;;
esac

if [ ! -r "$file" ] || [ -d "$file" ]; then
  echo "error: cannot read $PWD/$file" >&2
  exit 2
fi

lines=$(grep -n 'assert false' "$file" | cut -d: -f1)
verdict=safe
[ -n "$lines" ] && verdict=unsafe
case "$*" in
*"--format json"*)
  violations=""
  for line in $lines; do
    violations="$violations${violations:+, }{\"kind\": \"assertion\", \"location\": {\"line\": $line}}"
  done
  echo "{\"verdict\": \"$verdict\", \"violations\": [$violations]}"
  ;;
*)
  echo "$verdict in 0.$$ s"
  for line in $lines; do echo "$file:$line: assertion"; done
  ;;
esac
[ "$verdict" = safe ]
