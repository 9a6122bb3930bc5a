const wordMax = 64
const wordsMax = 64
// The number of characters to read. Names, titles and addresses are far shorter.
const charactersReadMax = 4096

const nonAscii = /[^\0-\x7f]/
// Marks of accents, vowel points and tones. Indic vowel signs and Japanese voicing marks are not listed: a word
// without them is another word.
const accents =
  /(?=[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}])\p{Mn}(?<![\u3099\u309a])/gu
// Letters that Unicode does not decompose, and the final Greek sigma.
const letters = new Map(
  Object.entries({
    ß: 'ss',
    ø: 'o',
    ł: 'l',
    æ: 'ae',
    œ: 'oe',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ħ: 'h',
    ı: 'i',
    ŋ: 'n',
    ŧ: 't',
    ĸ: 'k',
    ς: 'σ',
  }),
)
const letter = /[ßøłæœđðþħıŋŧĸς]/g

// Possibly an e-mail address, an apostrophe, a domain or a phone number.
const inner = /@|[^\s]['’.][^\s]|^\s*\+/
const plainEnds = /^[a-z0-9](?:.*[a-z0-9])?$/s
const outer = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu
const apostrophe = /['’]/
const plainWord = /[a-z0-9]+/g
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
const hyphenated = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}\p{M}]+)+$/u
const host = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}-]*(?:\.[\p{L}\p{N}\p{M}-]+)+$/u
// A query with a period is a domain if it has one of these endings, or one of two letters.
const endings =
  'com net org edu gov mil int info biz app dev cloud tech shop store online example test'.split(' ')

/**
 * The distinct words that find a record: lower case, without accents, at most 64 words of 64 characters. For an e-mail
 * address, these are the address, the words of its local part, and its domain. For a domain, these are the domain and
 * its words. For a number that begins with +, these are its digits. O'Brien also has the word obrien. Never throws.
 */
export function searchWords(values: (string | null | undefined)[]): string[] {
  const words: string[] = []
  for (const value of values) {
    if (value === null || value === undefined || value === '') continue
    const text = fold(value)
    if (inner.test(text)) addTokens(words, text, false)
    else addWords(words, text)
    if (words.length >= wordsMax) break
  }
  return words
}

/** A part of a query. A record matches it if each of `words` begins one of its words, or if `whole` does. */
export type QueryPart = { words: string[]; whole: string | null }

/**
 * The parts of a query that a record must all match. Words are made as in `searchWords`, but a partly typed e-mail
 * address or domain is also one word. `acme-bau` may be two words, or the beginning of a domain.
 */
export function queryParts(query: string): QueryPart[] {
  const parts: QueryPart[] = []
  let left = wordsMax
  for (const piece of piecesOf(fold(query))) {
    const words: string[] = []
    addPiece(words, piece, true)
    if (words.length === 0) continue
    const token = piece.replace(outer, '')
    parts.push({
      words: words.slice(0, left),
      whole: hyphenated.test(token) ? token.slice(0, wordMax) : null,
    })
    left -= words.length
    if (left <= 0) break
  }
  return parts
}

function fold(value: string): string {
  const text = value.length > charactersReadMax ? value.slice(0, charactersReadMax) : value
  if (!nonAscii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents, '')
    .replace(letter, (character) => letters.get(character) ?? character)
    .normalize('NFC')
}

function addTokens(words: string[], text: string, isQuery: boolean): void {
  for (const piece of piecesOf(text)) addPiece(words, piece, isQuery)
}

const piecesOf = (text: string): string[] =>
  /^\s*\+[\d\s()./-]*$/.test(text) ? [text.replace(/\D/g, '')] : text.split(/[\s,;:<>()[\]"]+/)

function addPiece(words: string[], piece: string, isQuery: boolean): void {
  const token = plainEnds.test(piece) ? piece : piece.replace(outer, '')
  const at = token.lastIndexOf('@')
  if (at === -1) addToken(words, token, isQuery)
  else if (isQuery) add(words, token)
  else addAddress(words, token, at)
}

function addToken(words: string[], token: string, isQuery: boolean): void {
  const isHost = token.includes('.') && host.test(token)
  if (isHost && (!isQuery || endsLikeDomain(token))) add(words, token)
  if (isHost && isQuery && endsLikeDomain(token)) return
  addName(words, token, isQuery)
}

function addAddress(words: string[], token: string, at: number): void {
  add(words, token)
  addName(words, token.slice(0, at), false)
  const domain = token.slice(at + 1)
  add(words, domain)
  // A domain without a known ending is split into words. Otherwise, the first label needs no word of its own, because the
  // domain begins with it, and the ending identifies nothing.
  const [first, last] = [domain.indexOf('.'), domain.lastIndexOf('.')]
  if (!endsLikeDomain(domain)) addWords(words, domain)
  else if (first !== last) addWords(words, domain.slice(first + 1, last))
}

function addName(words: string[], token: string, isQuery: boolean): void {
  addWords(words, token)
  if (!isQuery && apostrophe.test(token)) addWords(words, token.replace(/['’]/g, ''))
}

/** People search as they type. Initials such as J.P are not a domain. */
function endsLikeDomain(host: string): boolean {
  const ending = host.slice(host.lastIndexOf('.') + 1)
  return (
    /..\.[a-z]{1,2}$/.test(host) || endings.some((known) => known.startsWith(ending) && ending.length > 1)
  )
}

function addWords(words: string[], text: string): void {
  const found = text.match(nonAscii.test(text) ? word : plainWord)
  if (found !== null) for (const each of found) add(words, each)
}

function add(words: string[], text: string): void {
  if (text === '' || words.length >= wordsMax) return
  // The database rejects half of a surrogate pair.
  const shortened = text.length <= wordMax ? text : text.slice(0, wordMax).replace(/[\ud800-\udbff]$/, '')
  // A Set would be slower: hashing a new text takes 0.3 µs in Node 26.
  if (!words.includes(shortened)) words.push(shortened)
}
