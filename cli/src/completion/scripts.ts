/**
 * The scripts for the shells. Each asks `crosswalk __complete` for the words that can follow, without the network, and
 * suggests files if there are none.
 */
export const scripts = {
  bash: `_crosswalk() {
  local IFS=$'\\n'
  COMPREPLY=($(crosswalk __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _crosswalk crosswalk
`,
  zsh: `_crosswalk() {
  local -a found
  found=("\${(@f)$(crosswalk __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _crosswalk crosswalk
`,
  fish: `function __crosswalk_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (crosswalk __complete $words[2..-1] 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c crosswalk -f -a '(__crosswalk_complete)'
`,
}
