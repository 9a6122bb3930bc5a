// ISO 3166-1 alpha-2 as of 2026, and XK for Kosovo, which is in general use.
const codes = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY ' +
    'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK ' +
    'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR ' +
    'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
    'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
    'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF ' +
    'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
  ).split(' '),
)

/** Returns `US` for `us`; null if the value is not an ISO 3166-1 alpha-2 code. */
export function readCountry(value: string): string | null {
  const code = value.trim().toUpperCase()
  return codes.has(code) ? code : null
}

const names = new Intl.DisplayNames('en', { type: 'region' })

/** Returns the English name with the code: `United States (US)`. */
export function countryName(code: string | null): string {
  return code === null ? 'known' : `${names.of(code)} (${code})`
}

const languages = ['en', 'de', 'fr', 'es']
let codesByName: ReadonlyMap<string, string> | null = null

/**
 * Reads an ISO 3166-1 alpha-2 code, or a name in English, German, French or Spanish (`Deutschland`, `USA`). Returns
 * null for other text.
 */
export function readCountryOrName(value: string): string | null {
  // No name is longer. Folding a huge cell would take long.
  if (value.length > 100) return null
  codesByName ??= namesOfCountries()
  return readCountry(value) ?? codesByName.get(folded(value)) ?? null
}

/** Keeps only letters: `U.S.A.` becomes `USA`, and `Côte d’Ivoire` needs no accents. */
const folded = (name: string): string =>
  name
    .replaceAll('&', ' and ')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')

function namesOfCountries(): Map<string, string> {
  const found = new Map<string, string>()
  const styles = ['long', 'short'] as const
  for (const language of languages) {
    for (const style of styles) {
      const names = new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' })
      for (const code of codes) {
        const name = folded(names.of(code) ?? '')
        if (name !== '' && !found.has(name)) found.set(name, code)
      }
    }
  }
  return found
}
