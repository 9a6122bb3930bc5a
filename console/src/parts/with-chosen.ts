type Option = readonly [value: string, text: string]

/** The options, with the chosen value if it is none of them. Otherwise a select would seem to have its first option. */
export const withChosen = (options: readonly Option[], chosen: string, words: string): readonly Option[] =>
  options.some(([value]) => value === chosen) ? options : [...options, [chosen, words]]
