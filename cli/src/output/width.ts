const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const graphemes = new Intl.Segmenter()

/** Returns the columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: most texts are ASCII, whose width is their length
  if (/^[\u0000-\u007f]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1
  return width
}

/** Cuts a text that is wider than `max`, and ends it with `…`. */
export function cut(text: string, max: number): string {
  if (widthOf(text) <= max) return text
  let [short, width] = ['', 0]
  for (const { segment } of graphemes.segment(text)) {
    width += wide.test(segment) ? 2 : 1
    if (width > max - 1) break
    short += segment
  }
  return `${short}…`
}

/** A text with spaces up to a width in terminal columns. */
export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** Breaks a text into lines of at most `max` columns, between words. A longer word stays whole, so that it can be copied. */
export function wrapped(text: string, max: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || widthOf(last) + 1 + widthOf(word) > max) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** Wraps lines as `wrapped` does, and also breaks words that are wider than `max`. */
export function broken(text: string, max: number): string[] {
  return wrapped(text, max).flatMap((line) => {
    const parts = ['']
    for (const { segment } of widthOf(line) > max ? graphemes.segment(line) : [{ segment: line }]) {
      const last = `${parts.at(-1)}${segment}`
      if (parts.at(-1) !== '' && widthOf(last) > max) parts.push(segment)
      else parts[parts.length - 1] = last
    }
    return parts
  })
}

/** Wraps the lines of a text that are wider than `max`. Further lines keep the indent. A command to copy stays whole. */
export function fitted(text: string, max: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (widthOf(line) <= max || /^ *crosswalk /.test(line)) return [line]
      const indent = /^ */.exec(line)?.[0] ?? ''
      return wrapped(line.trim(), max - indent.length).map((part) => indent + part)
    })
    .join('\n')
}
