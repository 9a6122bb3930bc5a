/** Controls of terminals, and characters that change the direction of text. Line ends and tabs count as controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const control = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

const escaped = (character: string): string =>
  ({ '\n': '\\n', '\t': '\\t', '\r': '\\r' })[character] ??
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A text on one line. Characters that a terminal would act on are shown as escapes, such as `\u001b`. */
export const visible = (text: string): string => text.replaceAll(control, escaped)

/** Returns a text of several lines with the same escapes. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

/** A value as JSON. The characters that a terminal would act on are escaped, which changes no value. */
export function jsonOf(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, null, indent) ?? 'null'
  return indent > 0 ? text.split('\n').map(visible).join('\n') : visible(text)
}

/** Hides API keys, and secrets of webhooks and of identity, in a message. */
export const withoutSecrets = (text: string): string =>
  text.replaceAll(/\b(svc_(?:live|test|invite)_|whsec_|idsec_)[\w+/=-]+/g, '$1…')
