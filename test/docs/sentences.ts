import type { Page } from '../support/markdown.ts'

export type Sentence = { text: string; where: string }

/** The maximum number of words in a sentence. A code span, a link and a number count as one word each. */
export const maxWords = 35

/** The sentences of plain Markdown. Each paragraph, list item, heading and table cell begins a new one. */
export function sentencesOf({ text, file }: Pick<Page, 'text' | 'file'>): Sentence[] {
  const paragraphs = text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`]*`/g, (span) => (span.endsWith('.`') ? 'Code.' : 'Code'))
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(/^#+ .*$/gm, '$&\n')
    .split(/\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) )|\|/)
  return paragraphs
    .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, ' ').split(/(?<=[.!?][")*”]*) (?=[^a-z])/))
    .map((sentence) => ({ text: sentence.replace(/^ *(?:[-*#>]+|\d+\.) /, '').trim(), where: file }))
    .filter(({ text }) => text !== '')
}

export const wordsOf = (sentence: string): string[] =>
  sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word))

/** Words that hide the subject at the beginning of a statement. A question may begin with them. */
export const hiddenSubject =
  /^(?:\*\*)?(?:Who|Whoever|Whom|Whose|Of whom|Of which|What is|What was)\b(?![^?]*\?)/

/** Words that say nothing exact, or that readers with English as a second language do not know. */
export const archaic =
  /\b(?:whoever|whomever|whatsoever|lest|anew|thereof|therein|thereby|wherein|whereby|hitherto|be it|be they|so does|mended|as shipped|for good|in the way of|as it stands|comes? to nothing)\b/i

/** British spellings, which Crosswalk does not use. */
export const british =
  /\b(?:\w*(?:organis|normalis|summaris|serialis|recognis|authoris|initialis|prioritis|minimis|maximis|optimis|finalis|categoris|capitalis|synchronis|analys(?=ed|ing))(?:e|es|ed|er|ers|ing|ation|ations)|(?:analysed|analysing)|colours?|coloured|behaviours?|favours?|favourites?|neighbours?|honours?|honoured|labelled|labelling|cancelled|cancelling|dialled|dialling|travelled|modelled|signalled|catalogue|centre|defence|licence|whilst|amongst|judgement|artefacts?)\b/i
