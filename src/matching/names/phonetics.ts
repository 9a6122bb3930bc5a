const keyLength = 6

/**
 * One spelling for several languages. `sh` and `sch` are one sound. `ch`, `tch`, `tsch` and `cz` are one sound, as are
 * `ph` and `f`, and `w` and `v`. `c`, `q`, `ck` and `k` are one sound, as are `y`, `j` and `i`, and doubled letters. A
 * silent `h` is removed. Vowels stay: Sergey equals Sergej, but Maria is not Mario. A capital means a sound that has no
 * letter of its own: S is sh, C is ch, J is zh. The input is lower-case ASCII.
 */
export function soundSpelling(word: string): string {
  let out = ''
  let last = ''
  for (let i = 0; i < word.length; ) {
    const [sound, length] = soundAt(word, i)
    i += length
    // Only a sound of one letter can be doubled.
    if (sound === last && sound.length === 1) continue
    out += sound
    if (sound !== '') last = sound.length === 1 ? sound : sound.charAt(sound.length - 1)
  }
  return out.replace(/vic$/, 'viC').replace(/vik$/, word.endsWith('c') ? 'viC' : 'vik')
}

/**
 * A phonetic key for blocking: up to 6 of the sounds F, J, K, L, M, N, P, R, S, T, X (ch, zh). The first sound may also
 * be A (a vowel) or H. Voicing and later vowels do not count: Schmidt, Schmitt and Šmit give SMT. Tchaikovsky,
 * Tschaikowski and Czajkowski give XKFSK. The key is empty for a word without letters. The rules follow L. Philips,
 * "Hanging on the Metaphone" (1990) and "The Double Metaphone search algorithm" (2000). The classes of European sounds
 * follow H. J. Postel's Kölner Phonetik (1969). The codes differ from both algorithms.
 */
export function phoneticKey(word: string): string {
  return keyOfSpelling(soundSpelling(word))
}

/** Returns the `phoneticKey` of a word in the spelling of `soundSpelling`. */
export function keyOfSpelling(spelling: string): string {
  let key = ''
  let before = ''
  for (let i = 0; i < spelling.length && key.length < keyLength; i++) {
    const sound = classes[spelling.charCodeAt(i)] ?? ''
    const adjacent = sound === before
    const afterT = before === 'T'
    before = sound
    if (sound === '' || adjacent) continue
    if ((sound === 'A' || sound === 'H' || sound === 'J') && i > 0) continue
    // German and Slavic names write z or c as TS.
    if (sound === 'S' && afterT && key.length > 1) key = key.slice(0, -1)
    key += sound
  }
  return key
}

const classes: string[] = []
for (const [sounds, code] of [
  ['aeiou', 'A'],
  ['bp', 'P'],
  ['fv', 'F'],
  ['h', 'H'],
  ['j', 'J'],
  ['gk', 'K'],
  ['l', 'L'],
  ['m', 'M'],
  ['n', 'N'],
  ['r', 'R'],
  ['szS', 'S'],
  ['dt', 'T'],
  ['CJ', 'X'],
] as const) {
  for (const sound of sounds) classes[sound.charCodeAt(0)] = code
}

const soundOfLetter: Record<string, string> = {}
for (const letter of 'abdefghijklmnoprstuvz') soundOfLetter[letter] = letter
Object.assign(soundOfLetter, { q: 'k', w: 'v', x: 'ks', y: 'i' })

// The longest letter group comes first, because the first match counts.
const soundsOfLetterGroups: Record<string, [string, string][]> = {
  c: [
    ['chr', 'kr'],
    ['chl', 'kl'],
    ['ch', 'C'],
    ['ck', 'k'],
    ['cz', 'C'],
    ['ce', 'se'],
    ['ci', 'si'],
    ['cy', 'si'],
    ['c', 'k'],
  ],
  d: [
    ['dsch', 'J'],
    ['dzh', 'J'],
    ['dh', 'd'],
  ],
  e: [['ee', 'i']],
  g: [['gh', 'g']],
  k: [['kh', 'k']],
  o: [
    ['ou', 'u'],
    ['oo', 'u'],
  ],
  p: [['ph', 'f']],
  r: [['rh', 'r']],
  s: [
    ['sch', 'S'],
    ['sh', 'S'],
    ['sz', 'S'],
  ],
  t: [
    ['tsch', 'C'],
    ['tch', 'C'],
    ['th', 't'],
    ['tz', 'z'],
  ],
  w: [['wh', 'v']],
  z: [['zh', 'J']],
}
const initialSounds: [string, string][] = [
  ['ye', 'e'],
  ['iu', 'ju'],
  ['ya', 'ja'],
  ['yo', 'jo'],
  ['yu', 'ju'],
  ['j', 'j'],
  ['mc', 'mak'],
]
const vowels = 'aeiouy'

function soundAt(word: string, i: number): [sound: string, length: number] {
  if (i === 0) {
    for (const [letters, sound] of initialSounds) if (word.startsWith(letters)) return [sound, letters.length]
  }
  const letter = word.charAt(i)
  for (const [letters, sound] of soundsOfLetterGroups[letter] ?? []) {
    if (!word.startsWith(letters, i)) continue
    // Lee and Li are two names. Saeed and Said are one name.
    if (letters === 'ee' && word.length < 5) continue
    return [sound, letters.length]
  }
  if (letter === 'j') return ['i', 1]
  if (letter === 'h' && i > 0 && vowels.includes(word.charAt(i - 1))) {
    const next = word.charAt(i + 1)
    if (next === '' || !vowels.includes(next)) return ['', 1]
  }
  return [soundOfLetter[letter] ?? '', 1]
}
