extension CompletionScripts {
    /// The part of the script for bash that does not depend on the commands. `@FIRST@` is the list of first words.
    static let bashFunctions = #"""
        _healthsync_list() {
          local IFS=$'\n' line
          COMPREPLY=()
          for line in $(healthsync completion "$1" 2>/dev/null); do
            if [[ "${line,,}" == "${2,,}"* ]]; then COMPREPLY+=("$(printf '%q' "$line")"); fi
          done
        }
        _healthsync_values() {
          case "$1" in
            files) compopt -o filenames 2>/dev/null; local IFS=$'\n'; COMPREPLY=($(compgen -f -- "$2")) ;;
            none) COMPREPLY=() ;;
            *) _healthsync_list "$1" "$2" ;;
          esac
        }
        _healthsync() {
          local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
          local options values argument words path='' word index entry
          for ((index = 1; index < COMP_CWORD; index++)); do
            word="${COMP_WORDS[index]}"
            [[ "$word" == -* ]] && break
            if [[ -z "$path" ]]; then path="$word"; continue; fi
            _healthsync_second "$path"
            [[ " $words " == *" $word "* ]] && path="$path $word"
            break
          done
          _healthsync_declaration "$path"
          if [[ "$current" == '=' ]]; then current=''; fi
          if [[ "$previous" == '=' ]]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi
          for entry in $values; do
            if [[ "$entry" == "$previous="* ]]; then _healthsync_values "${entry#*=}" "$current"; return; fi
          done
          if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current")); return; fi
          if [[ -z "$path" ]]; then COMPREPLY=($(compgen -W "@FIRST@" -- "$current")); return; fi
          _healthsync_second "$path"
          COMPREPLY=($(compgen -W "$words" -- "$current"))
          if [[ -n "$words" && ( "$argument" == none || ${#COMPREPLY[@]} -gt 0 ) ]]; then return; fi
          _healthsync_values "$argument" "$current"
        }
        complete -F _healthsync healthsync

        """#
}
