/** Windows-1252 differs from Latin-1 from 0x80 to 0x9F. */
const windows1252: Record<string, string> = {
  '€': '\x80',
  '„': '\x84',
  '–': '\x96',
  '“': '\x93',
  '’': '\x92',
}

const firstNames = [
  'Jürgen',
  'Änne',
  'Björn',
  'Zoë',
  'Uwe',
  'François',
  'Käthe',
  'MARIE-LUISE',
  ' sören ',
  'Ole',
]
const lastNames = [
  'Müller',
  'von der Heide',
  'Groß',
  'Özdemir',
  'Meier-Schäfer',
  'O’Neill',
  'Weiß',
  'D’Angelo',
  'de Vries',
]
const companies = [
  'Müller GmbH',
  'Söhne & Co. KG',
  '"Zum Löwen" e.K.',
  'Bäckerei Groß; Filiale 3',
  'Ä–Ö AG',
  '',
]
const streets = ['Hauptstraße 5', 'Am Graben 12 a', 'Große Bleichen 7', '', 'Königsallee 1 – 3']
const towns = ['Köln', 'Düsseldorf', 'Zürich', 'Graz', 'Frankfurt a. M.', '']
const countries = ['Deutschland', 'Österreich', 'Schweiz', 'DE', 'D', 'Germany', '']
const notes = [
  '',
  'sagt „nein“',
  'Er sagte "ja"',
  'zwei\nZeilen',
  'ruft zurück; 3x',
  '=SUMME(A1)',
  '-',
  '100 %',
]

const mails: ((n: number) => string)[] = [
  (n) => `person${n}@example.com`,
  (n) => `mailto:person${n}@example.com`,
  (n) => `Müller, Jürgen <person${n}@example.com>`,
  (n) => `"Jürgen Müller" <mailto:person${n}@example.com>`,
  (n) => ` PERSON${n}@EXAMPLE.COM. `,
  (n) => `person${n}@example.com; zweite${n}@example.org`,
  (n) => `person${n}@müller-söhne.example`,
  (n) => `jürgen${n}@example.com`,
  (n) => `person${n}(at)example.com`,
  (n) => `person${n}@`,
  (n) => `person ${n}@example.com`,
  () => 'k.A.',
  () => 'n/a',
  () => '-',
  () => 'unbekannt @ Zentrale',
  () => 'www.example.com',
  () => '',
]
const phones: ((n: number) => string)[] = [
  (n) => `030 / 23125${pad(n)}`,
  (n) => `(0221) 2312-5${pad(n)}`,
  (n) => `+49 (0)171 3920${pad(n)}`,
  (n) => `0049 30 23125${pad(n)}`,
  (n) => `030 23125${pad(n)} Durchwahl 12`,
  (n) => `030 23125${pad(n)} / 030 23125001; mobil: 0171 3920${pad(n)}`,
  () => '4,93023E+11',
  () => 'siehe Handy',
  () => 'k.A.',
  () => '110',
  () => '-',
  () => '#NV',
  () => '',
]

const pad = (n: number) => String(n % 1000).padStart(3, '0')

/** Random numbers that are the same in every run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * A CSV file from a German Excel: Windows-1252, semicolons, decimal commas, and dates with dots. Some cells have
 * display names, mailto:, and words for numbers. All people are invented.
 */
export function messyFile(rows: number, seed = 1): Buffer {
  const random = randomOf(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const header =
    'Kundennr.;Anrede;Vorname;Nachname;Firma;Straße;PLZ;Ort;Land;E-Mail;Telefon;Mobil;Umsatz;Letzter Kontakt;Notiz'
  const lines = Array.from({ length: rows }, (_, n) =>
    [
      `K-${n}`,
      pick(['Herr', 'Frau', '']),
      pick(firstNames),
      pick(lastNames),
      pick(companies),
      pick(streets),
      pick(['50667', '01067', 'CH-8001', '']),
      pick(towns),
      pick(countries),
      pick(mails)(n),
      pick(phones)(n),
      pick(phones)(n + 1),
      pick(['1.234,56 €', '0,00', '-', '']),
      pick(['31.12.2025', '1.2.26', 'gestern', '']),
      pick(notes),
    ]
      .map(toCell)
      .join(';'),
  )
  const text = `${[header, ...lines].join('\r\n')}\r\n;;;;;;;;;;;;;;\r\n`
  return Buffer.from(
    text.replace(/[€„–“’]/g, (character) => windows1252[character] ?? '?'),
    'latin1',
  )
}

const toCell = (value: string) => (/[";\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
