import { wordSet } from './word-set.ts'

/** Words before a name, in lower-case ASCII without periods. */
export const titles = wordSet(`
  hc mr mrs ms miss mx mister dr doctor prof professor sir dame lord lady rev reverend hon honorable honourable
  herr frau hr fr fraulein monsieur madame mademoiselle mme mlle mssr maitre signor signora sig sigra dott dottssa
  dottore dottoressa avv ing dipling dipl mag magister don senor senora senorita sra srta sr doc dra sres senhor
  senhora pan pani pana bay bayan hr fru dhr mevr mevrouw drs ir shri smt sri shrimati kumari
  shaikh sheikh sheik shaykh hajji hadji haji mullah mulla maulana mawlawi maulavi ustad
  capt captain col colonel gen general lt lieutenant maj major sgt sergeant cpt cmdr adm admiral president
`)

/** Degrees and other additions after a name, in lower-case ASCII without periods. */
export const postNominals = wordSet(`
  phd dphil drphil md mba emba msc bsc meng beng llb llm jd esq esquire cpa cfa cfp pmp dds dvm do rn obe cbe mbe kbe
  frs bcs mphil edd dba mpa mph msw mfa bfa aca acca fca cissp shrm shrmcp sphr phr bed med ma ba jp qc kc dmd pe pa
  np cma cia ret
`)

/**
 * Titles and degrees that are also names. Before a name, they are titles only if two more words follow. After a name,
 * they are degrees only if they are in capitals and the name is not.
 */
export const titlesThatAreNames = wordSet(
  'ma ba do bed med pe pa np jp kc qc pan don sri mag ing bay doc ret fr cia',
)

/** The generation: 1 for the oldest, 2 for the next one, and so on. */
export const generations: ReadonlyMap<string, number> = new Map([
  ['sr', 1],
  ['senior', 1],
  ['snr', 1],
  ['jr', 2],
  ['junior', 2],
  ['jnr', 2],
  ['ii', 2],
  ['2nd', 2],
  ['iii', 3],
  ['3rd', 3],
  ['iv', 4],
  ['4th', 4],
])

/** Particles of family names, with one spelling for equivalent particles. */
export const particles: ReadonlyMap<string, string> = new Map(
  [
    ...'van von der den de het ten ter te zu zum zur vom del della delle dello di da do dos das du des la le les lo los las af av y'.split(
      ' ',
    ),
    'al el:al ul:al bin ibn:bin ben:bin bint binti:bint t',
  ]
    .join(' ')
    .split(' ')
    .map((entry) => {
      const [word = '', same = word] = entry.split(':')
      return [word, same]
    }),
)

/** Beginnings of names with a capital inside: MacDonald is one name. */
export const innerCapitals = wordSet('mac fitz van von del della der mcc saint ter')

/** Words that form one name with the next word. They mean "servant of". */
export const servantPrefixes = wordSet('abd abdul abdel abdal abdoul')
