import type { Page } from '../support/markdown.ts'

export type Sentence = { text: string; where: string }

/** The most words that a sentence may have. A code span, a link and a number count as one word each. */
export const maxWords = 35

/** The sentences of plain Markdown: each paragraph, list item, heading and table cell begins a new one. */
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

/** Words that hide the subject of a sentence if they begin a statement. A question may begin with them. */
export const hiddenSubject =
  /^(?:\*\*)?(?:Who|Whoever|Whom|Whose|Of whom|Of which|What is|What was)\b(?![^?]*\?)/

/** Words that readers with English as a second language do not know, and words that say nothing exact. */
export const archaic =
  /\b(?:whoever|whomever|whatsoever|lest|anew|thereof|therein|thereby|wherein|whereby|hitherto|be it|be they|so does|mended|as shipped|for good|in the way of|as it stands|comes? to nothing)\b/i

/** Matches British spellings. Crosswalk uses American spellings. */
export const british =
  /\b(?:\w*(?:organis|normalis|summaris|serialis|recognis|authoris|initialis|prioritis|minimis|maximis|optimis|finalis|categoris|capitalis|synchronis|analys(?=ed|ing))(?:e|es|ed|er|ers|ing|ation|ations)|(?:analysed|analysing)|colours?|coloured|behaviours?|favours?|favourites?|neighbours?|honours?|honoured|labelled|labelling|cancelled|cancelling|dialled|dialling|travelled|modelled|signalled|catalogue|centre|defence|licence|whilst|amongst|judgement|artefacts?)\b/i
