import { expect, test } from 'vitest'
import { readCompanyName } from './company.ts'

test.each<[string, string, string?, string?]>([
  ['Siemens AG', 'siemens', 'ag'],
  ['SiemensAG', 'siemens', 'ag'],
  ['Siemens Aktiengesellschaft', 'siemens', 'ag'],
  ['Siemens Aktiengeselschaft', 'siemens', 'ag'],
  ['Siemens A.G.', 'siemens', 'ag'],
  ['Siemens AG Österreich', 'siemens osterreich', 'ag'],
  ['Volkswagen Bank G.m.b.H.', 'volkswagen bank', 'gmbh'],
  ['Meier GmbH & Co. KG', 'meier', 'gmbh co kg'],
  ['Meier GmbH und Co KG', 'meier', 'gmbh co kg'],
  ['Müller & Söhne oHG', 'muller sohne', 'ohg'],
  ['Acme, Inc.', 'acme', 'inc'],
  ['Acme Incorporated', 'acme', 'inc'],
  ['Acme Corporation', 'acme', 'corp'],
  ['Acme Coporation', 'acme', 'corp'],
  ['Acme Co., Ltd.', 'acme', 'ltd'],
  ['Acme Pty Ltd', 'acme', 'ltd'],
  ['Acme Private Limited', 'acme', 'ltd'],
  ['Acme (Pvt.) Ltd.', 'acme', 'ltd'],
  ['Acme Sdn. Bhd.', 'acme', 'ltd'],
  ['Acme Limted', 'acme', 'ltd'],
  ['Acme L.L.C.', 'acme', 'llc'],
  ['Acme LLP', 'acme', 'llp'],
  ['HSBC Holdings p.l.c.', 'hsbc', 'plc'],
  ['Société Générale S.A.', 'generale', 'sa'],
  ['Dupont S.à r.l.', 'dupont', 'sarl'],
  ['Dupont S.A.R.L.', 'dupont', 'sarl'],
  ['Ferrero S.p.A.', 'ferrero', 'spa'],
  ['Ferrero S. p. A.', 'ferrero', 'spa'],
  ['Faberlic Sp. z o.o.', 'faberlic', 'sp zoo'],
  ['Faberlic Sp. z o. o.', 'faberlic', 'sp zoo'],
  ['Philips N.V.', 'philips', 'nv'],
  ['Philips B.V.', 'philips', 'bv'],
  ['Nokia Oyj', 'nokia', 'oyj'],
  ['Rovio Oy', 'rovio', 'oy'],
  ['Volvo AB', 'volvo', 'ab'],
  ['Škoda s.r.o.', 'skoda', 'sro'],
  ['MOL Kft.', 'mol', 'kft'],
  ['ООО «Ромашка»', 'romashka', 'llc'],
  ['OOO Romashka', 'romashka', 'llc'],
  ['Romashka O.O.O.', 'romashka', 'llc'],
  ['Общество с ограниченной ответственностью "Ромашка"', 'romashka', 'llc'],
  ['OAO Gazprom', 'gazprom', 'jsc'],
  ['Open Joint Stock Company Gazprom', 'gazprom', 'jsc'],
  ['株式会社日立', 'ri li', 'kk'],
  ['(株)日立', 'ri li', 'kk'],
  ['（株）日立', 'ri li', 'kk'],
  ['株洲日立', 'zhu zhou ri li'],
  ['Hitachi K.K.', 'hitachi', 'kk'],
  ['PT Astra International', 'astra international', 'pt'],
  ['P.T. Astra International', 'astra international', 'pt'],
  ['The Goldman Sachs Group, Inc.', 'goldman sachs', 'inc'],
  ['Procter & Gamble Co.', 'procter gamble', 'co'],
  ['J.P. Morgan', 'jp morgan'],
  ['L.X.C Aviation', 'lxc aviation'],
  ['A B C', 'abc'],
  ['Brigade Forty-Four', 'brigade 44'],
  ['Brigade Forty 4', 'brigade 44'],
  ['KKR Fund IV', 'kkr fund 4'],
  ['Amazon.com', 'amazon'],
  ['Inc', 'inc'],
  ['The Who', 'who'],
  ['Of The', 'of the'],
  ['Group', 'group'],
  ['', ''],
  ['…', ''],
])('the company name %s is read as %s, %s', (name, text, form) => {
  const read = readCompanyName(name)
  expect(read.text).toBe(text)
  expect(read.form?.name).toBe(form)
})

test('reading a company name returns its key, its acronym, its additions and its words', () => {
  const read = readCompanyName('Zürich International Business Machines Group AG')
  expect(read.key).toBe('business international machines zurich')
  expect(read.glued).toBe('zurichinternationalbusinessmachines')
  expect(read.acronym).toBe('zibmg')
  expect(read.additions).toBe('group')
  expect(read.tokens.slice(0, read.genericFrom).map(({ text }) => text)).toEqual([
    'zurich',
    'business',
    'machines',
  ])
})

test('a text of any length can be read', () => {
  expect(readCompanyName('Acme AG '.repeat(10_000)).tokens.length).toBeLessThanOrEqual(12)
})
