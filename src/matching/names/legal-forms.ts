import { itemAt } from '../element-at.ts'

/** A legal form and its kind. Forms of several countries can be of one kind. */
export type LegalForm = { readonly name: string; readonly kind: LegalKind }

/** The kinds of companies: public shares, limited liability, partnership, one owner, no owners. */
type LegalKind = 'stock' | 'limited' | 'partnership' | 'sole' | 'association' | 'vague'

// Each line has the name of a form, then its other spellings in any script. `readCompanyName` normalizes them. A
// `vague` form is not evidence.
const forms: Record<LegalKind, string> = {
  stock: `
    ag, aktiengesellschaft, aktien gesellschaft
    inc, incorporated, incorporation
    corp, corporation
    plc, public limited company, public limited
    sa, societe anonyme, sociedad anonima, sociedade anonima, s a u, sau, sociedad anonima unipersonal
    spa, societa per azioni
    nv, naamloze vennootschap
    se, societas europaea
    kk, kabushiki kaisha, kabushikikaisha
    jsc, joint stock company, ao, akcionernoe obshchestvo, акционерное общество, aktsionernoe obshchestvo, ojsc, open joint stock company, oao, открытое акционерное общество, pjsc, public joint stock company, pao, публичное акционерное общество, zao, cjsc, closed joint stock company, закрытое акционерное общество, at, pat, prat, акціонерне товариство, публічне акціонерне товариство, ad, aktsionerno druzhestvo
    ab, aktiebolag, aktiebolaget, ab publ
    asa, allmennaksjeselskap
    oyj, julkinen osakeyhtio
    akciova spolecnost, akciova spolocnost
    sae, kgaa, kommanditgesellschaft auf aktien
    bhd, berhad
    tbk, persero tbk
    anonim sirketi, anonim sti
    nyrt, zrt, reszvenytarsasag
    dd, dionicko drustvo, delniska druzba
    sca, societe en commandite par actions
    saog, saoc, psc, pjs, qpsc
    gufen youxian gongsi`,
  limited: `
    gmbh, gesellschaft mit beschrankter haftung, gesellschaft mbh, ges m b h, gesmbh, mbh, ggmbh
    ug, unternehmergesellschaft, ug haftungsbeschrankt, unternehmergesellschaft haftungsbeschrankt
    llc, limited liability company, limited liability co, lc, l l c, ooo, общество с ограниченной ответственностью, tov, товариство з обмеженою відповідальністю, too, товарищество с ограниченной ответственностью, ood, eood, mmc
    ltd, limited, ltd co, company limited, co ltd, coltd, private limited, pvt ltd, private ltd, pvt limited, pte ltd, pte, pty ltd, pty limited, pty, proprietary limited, sdn bhd, sendirian berhad, llp ltd
    sarl, societe a responsabilite limitee, sarlu, eurl, sa rl
    sas, sasu, societe par actions simplifiee
    srl, societa a responsabilita limitata, societatea cu raspundere limitata, societate cu raspundere limitata, sociedad de responsabilidad limitada, srls, s de rl de cv, s de rl
    sl, sociedad limitada, slu
    lda, limitada, ltda, sociedade limitada, eireli
    bv, besloten vennootschap, bvba, besloten vennootschap met beperkte aansprakelijkheid
    sp zoo, sp z oo, spzoo, spolka z ograniczona odpowiedzialnoscia, spolka z oo, z oo
    sro, spolecnost s rucenim omezenym, spol s ro, spolocnost s rucenim obmedzenym
    doo, drustvo s ogranicenom odgovornoscu, druzba z omejeno odgovornostjo
    kft, korlatolt felelossegu tarsasag
    oy, osakeyhtio, oy ab
    aps, anpartsselskab
    ehf, hf
    ou, osauhing
    sia, sabiedriba ar ierobezotu atbildibu
    uab, uzdaroji akcine bendrove
    gk, godo kaisha, goudou kaisha
    yk, yugen kaisha
    epe, ike
    ltd sti, limited sirketi, limited sti
    youxian gongsi, youxian zeren gongsi
    yuhan hoesa
    sa de cv, sapi de cv`,
  partnership: `
    llp, limited liability partnership
    lp, limited partnership, l p
    kg, kommanditgesellschaft
    gmbh co kg, gmbh and co kg, gmbh und co kg, gmbh cokg, gmbh and cokg, ag co kg, ag and co kg, co kg, and co kg
    ohg, offene handelsgesellschaft
    gbr, gesellschaft burgerlichen rechts
    snc, societe en nom collectif, societa in nome collettivo
    sas di, societa in accomandita semplice
    scs, vof, vennootschap onder firma, cv, commanditaire vennootschap
    kb, kommanditbolag, hb, handelsbolag, ks, kommandittselskap
    spk, spolka komandytowa, sp k, sp j, spolka jawna, sp zoo sp k, sp z oo sp k
    gp, general partnership`,
  sole: `
    ek, eingetragener kaufmann, e kfm, ekfm, einzelunternehmen
    ip, индивидуальный предприниматель, fop, chp
    ei, entreprise individuelle, auto entrepreneur
    eenmanszaak, enskild firma, enkeltmandsvirksomhed, dba`,
  association: `
    ev, eingetragener verein
    eg, eingetragene genossenschaft
    npo, ano, автономная некоммерческая организация, некоммерческая организация
    asbl, association sans but lucratif, vzw
    cic, community interest company
    scop, scpa, coop, cooperative society
    fgup, федеральное государственное унитарное предприятие, gup, mup`,
  vague: `
    co, company, cie, compagnie, companies, cia, compania, companhia
    firma, fa
    societe, societa, obshchestvo
    as, aktieselskab, aksjeselskap, a s, a/s, as publ
    pt, perseroan terbatas, cv indonesia
    gesellschaft, drustvo
    joint venture`,
}

// Legal forms that precede the name.
const leadingForms = new Set(
  'ooo|oao|zao|pao|ao|too|tov|jsc|ojsc|pjsc|cjsc|pt|llc|limited liability company|open joint stock company|joint stock company|public joint stock company|closed joint stock company|srl|sarl|sas|eurl|societe|societe anonyme|firma|ip|fop|ano|npo|at|pat|prat|kk|kabushiki kaisha|uab|sia|as|ad|fgup|gup|mup|gmbh|spa|sc|limited liability|company|ab|sa|aktiebolaget|aktiebolag|nv|bv|fa|cia|compagnie|societatea cu raspundere limitata|societate cu raspundere limitata'.split(
    '|',
  ),
)

/** Returns every spelling in `forms`, normalized like a name. */
export function spellings(treat: (words: string) => string): Map<string, LegalForm> {
  const found = new Map<string, LegalForm>()
  for (const [kind, lines] of Object.entries(forms) as [LegalKind, string][]) {
    for (const line of lines.trim().split('\n')) {
      const written = line.split(',').map((one) => treat(one.trim()))
      const form = { name: itemAt(written, 0), kind }
      for (const one of written) if (one !== '' && !found.has(one)) found.set(one, form)
    }
  }
  return found
}

/** Returns whether the words are also a legal form at the start of a name: OOO, PT. */
export function canLeadName(words: string): boolean {
  return leadingForms.has(words) || (words.includes(' ') && !words.startsWith('co '))
}

/** Long words (7 letters or more), which people often misspell: Aktiengeselschaft. */
export const longFormWords =
  'aktiengesellschaft gesellschaft kommanditgesellschaft incorporated corporation limited'.split(' ')

/** Legal forms in languages without spaces between words. */
export const unspacedForms: readonly [RegExp, string][] = [
  [/株式会社|[(（]株[)）]|㈱/g, ' kabushiki kaisha '],
  [/合同会社/g, ' godo kaisha '],
  [/有限会社|[(（]有[)）]|㈲/g, ' yugen kaisha '],
  [/股份有限公司|股份公司/g, ' gufen youxian gongsi '],
  [/有限责任公司|有限公司/g, ' youxian gongsi '],
  [/주식회사|[(（]주[)）]|㈜/g, ' kabushiki kaisha '],
  [/유한회사/g, ' yuhan hoesa '],
]
