import { flagName } from './arguments.ts';
import type { Command } from './command.ts';
import { UsageError } from './failure.ts';

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_lettermill() { COMPREPLY=($(compgen -W "$(lettermill complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}")); }
complete -o default -F _lettermill lettermill
`,
  zsh: `#compdef lettermill
_lettermill() { compadd -- \${(f)"$(lettermill complete -- "\${words[@]:1:CURRENT-2}" 2>/dev/null)"}; }
compdef _lettermill lettermill
`,
  fish: `complete -c lettermill -f -a '(lettermill complete -- (commandline -opc)[2..-1] 2>/dev/null)'
`,
};

/** Returns the script that makes a shell complete commands and flags. Throws a \`UsageError\` for another shell. */
export function completionFor(shell = ''): string {
  const script = SCRIPTS[shell];
  if (script === undefined) throw new UsageError(`completion needs one of ${Object.keys(SCRIPTS).join(', ')}`);
  return script;
}

/** Returns what may follow the words of a command line: the next word, or the flags of its command. */
export function completions(commands: readonly (Pick<Command, 'words'> & Partial<Command>)[], given: readonly string[]): readonly string[] {
  const words = given.filter((word) => !word.startsWith('-'));
  const matching = commands.filter((command) => words.every((word, at) => at >= command.words.length || command.words[at] === word));
  const exact = matching.find(({ words: own }) => own.length <= words.length);
  if (!exact) return [...new Set(matching.map(({ words: own }) => own[words.length] ?? ''))];
  const flags = [...(exact.query ?? []), ...(exact.body ?? [])].map(({ name }) => `--${flagName(name)}`);
  return [...flags, ...(exact.body ? ['--input'] : []), ...(exact.upload ? ['--file'] : []), '--json', '--help', '--profile'];
}
