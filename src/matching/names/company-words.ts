import { wordSet } from './word-set.ts'

/** Frequent words that do not distinguish companies. */
export const stopWords = wordSet(`
  the of and for in at on a an und der die das des von fur et de la le les du des l d y e i del los las el da do dos di
  della delle van het en og och ja och the oder & am im zu
`)

/** One company can have a name with and without an addition. Two different additions mean two companies. */
export const additions = wordSet(
  'group gruppe groupe grupo gruppo holding holdings beteiligungen worldwide com',
)

/** Words for a trade or a kind of company. They weigh less than other words. */
export const genericWords = wordSet(`
  international global solutions solution services service systems system technologies technology tech industries
  industry enterprises enterprise consulting consultants partners partner management trading investments investment
  capital fund funds bank trust insurance software digital media marketing communications products production
  development engineering construction energy logistics transport medical health healthcare pharma electronics
  university institute foundation association society club school hospital ministry government agency department
  manufacturing motors computer computers electric foods brothers sons
  europe european america american asia africa usa us uk germany deutschland france italia espana
`)

/** Common abbreviations in names, and related words, each with the word that replaces it. */
export const abbreviations: ReadonlyMap<string, string> = new Map(
  'intl international,int international,natl national,mfg manufacturing,mgmt management,univ university,bros brothers,assn association,assoc association,dept department,svcs services,svc service,govt government,hosp hospital,inst institute,tech technology,technologies technology,engg engineering,eng engineering,bldg building,constr construction,intern international,grp group,hldgs holdings,labs laboratories'
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
)

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'

/** Numbers in words, from two on. */
export const numberWords: ReadonlyMap<string, number> = new Map([
  ...units
    .split(' ')
    .map((word, value): [string, number] => [word, value])
    .slice(2),
  ...tens.split(' ').map((word, index): [string, number] => [word, (index + 2) * 10]),
  ['fourty', 40],
])

/** Roman numbers from II on. V and X are left out, because they are usually letters. */
export const romanNumerals: ReadonlyMap<string, number> = new Map(
  'ii iii iv vi vii viii ix xi xii xiii xiv xv xvi xvii xviii xix xx'
    .split(' ')
    .map((numeral, index) => [numeral, index + 2 + (index > 2 ? 1 : 0) + (index > 6 ? 1 : 0)]),
)
