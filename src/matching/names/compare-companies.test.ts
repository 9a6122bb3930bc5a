import { array, assert, constantFrom, property, string, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCompanyName } from './company.ts'
import { compareCompanyNames } from './compare-companies.ts'
import { type NameLevel, sameFrom } from './comparison.ts'

const compare = (a: string, b: string) => compareCompanyNames(readCompanyName(a), readCompanyName(b))
const table = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' | ') as [string, string])

const levels: Record<NameLevel, string> = {
  exact: `
    AB Volvo | Volvo AB
    Acme Mfg Co | Acme Manufacturing Company
    Club 21 | Club Twenty One
    Univ. of Oxford | University of Oxford
    Siemens AG | Siemens AG
    Siemens AG | SIEMENS AG
    Siemens AG | SiemensAG
    Siemens AG | Siemens Aktiengesellschaft
    Siemens AG | Siemens Aktiengeselschaft
    Volkswagen GmbH | Volkswagen Gesellschaft mit beschränkter Haftung
    Apple, Inc. | Apple Inc
    Apple Inc | Apple Incorporated
    Toyota Motor Corp | Toyota Motor Corporation
    HSBC p.l.c. | HSBC plc
    Acme L.L.C. | Acme Limited Liability Company
    OOO Romashka | Romashka LLC
    ООО Ромашка | OOO Romashka
    OAO Gazprom | Open Joint Stock Company Gazprom
    Société Générale S.A. | Societe Generale SA
    Nestlé S.A. | NESTLE SA
    Ferrero S.p.A. | Ferrero SpA
    Faberlic Sp. z o.o. | Faberlic Spółka z ograniczoną odpowiedzialnością
    Procter & Gamble | Procter and Gamble
    AT&T Inc. | AT and T Inc.
    Marks & Spencer plc | Marks and Spencer PLC
    Müller und Söhne KG | Muller & Sohne KG
    The Boeing Company | Boeing Co
    Hewlett-Packard | Hewlett Packard
    J.P. Morgan | JP Morgan
    Standard & Poor's | Standard & Poors
    Brigade Forty-Four | Brigade 44
    Fund IV | Fund 4`,
  equivalent: `
    Müller GmbH | Mueller GmbH
    Volkswagen AG | Volkswaagen Aktiengesellschaft
    Goodwill Ltd | Good Will Limited
    Siemens | Siemens AG
    Apple | Apple Inc.
    Gazprom Company | Gazprom JSC
    Acme Inc | Acme Corp
    Acme LLC | Acme Ltd
    Acme GmbH | Acme Ltd
    Goldman Sachs Group | Goldman Sachs
    Tata Holdings Ltd | Tata Ltd
    Amazon | Amazon.com, Inc.
    Motor Toyota | Toyota Motor
    Philips Electronics | Filips Electronics
    Deutsche Telekom AG | Deutsche Telecom AG
    Jonson Controls | Johnson Controls`,
  close: `
    Microsoft | Micorsoft
    Agricultural Bank of China | Agricultral Bank of China
    World Health Organisation | World Health Organization
    Mercedes-Benn Group | Mercedes-Benz Group
    PricewaterhouseCooper | Pricewaterhouse Coopers
    Stellantis N.V. | Stellamtis NV
    Volkswagen AG | Vokswagen AG`,
  compatible: `
    Booking Group | Booking Holdings
    Tesla Motors | Tesla Inc
    Deutsche Bank Trust Company | Deutsche Bank
    Siemens AG | Siemens GmbH
    Deutsche Bank AG | Deutsche Bank GmbH
    Acme Inc | Acme LLC
    Acme Ltd | Acme LP
    IBM | International Business Machines
    BMW | Bayerische Motoren Werke AG
    Crystalord Systems Limited | Crystalord Ltd
    Faberlic | Faberlic Europe
    Acme | Acme Consulting`,
  partial: `
    Victory | Victor Konetsky
    Shell plc | Snell plc
    Visa | Vista
    Banco Santander | Banco Santander Chile
    Banco Santander México S.A. | Banco Santander Chile S.A.
    BAE Systems | BAE Industries
    Bowne of Atlanta | Bowne of Boston
    Bank of China (Hong Kong) | Bank of China (Australia)
    Blackstone Fund IV | Blackstone Fund V
    Carlyle Partners 7 | Carlyle Partners 8
    Mortgage Trust 2004-1 | Mortgage Trust 2005-1
    Acme 2 GmbH | Acme GmbH
    Acme Two | Acme Three
    Mizuho Securities | Mizuho Trust
    Saudi Arabian Gas | Saudi Arabian Oil
    Wells Fargo | Wells Capital
    Sumitomo Mitsui Trust | Sumitomo Mitsui Banking`,
  distinct: `
    Bank of America | Bank of Armenia
    Siemens AG | Volkswagen AG
    Siemens Aktiengesellschaft | Volkswagen Aktiengesellschaft
    A.B.C. Company | C.B.A. Company
    Acme Ltd | Apex Ltd
    Bank International | Trust International
    Acme Bank | Apex Bank
    CVS Health | CVC Health
    ООО "БАЙ" | ООО "БАЙКАЛ"
    Iran Bank | Iraq Bank`,
}

for (const [level, pairs] of Object.entries(levels)) {
  test.each(table(pairs))(`the names %s and %s are ${level}`, (a, b) => {
    expect(compare(a, b)?.level).toBe(level)
    expect(compare(b, a)).toEqual(compare(a, b))
  })
}

test('the table has more than 80 cases', () => {
  expect(Object.values(levels).flatMap(table).length).toBeGreaterThan(80)
})

test('a weak difference keeps two names below the threshold', () => {
  for (const other of ['Siemens GmbH', 'Siemens Systems AG', 'Siemens 2 AG', 'Siemens Healthineers AG']) {
    expect(compare('Siemens AG', other)?.similarity).toBeLessThan(sameFrom)
    expect(compare('Siemens AG', other)?.similarity).toBeGreaterThan(0.4)
  }
})

describe('always', () => {
  const word = constantFrom(
    ...'Acme Nordwind Köhler Systems Bank Group 24 Baltic & of Šumava Trust Telekom'.split(' '),
  )
  const form = constantFrom('', ' AG', ' GmbH', ' Inc.', ' S.A.', ' Ltd')
  const name = tuple(array(word, { minLength: 1, maxLength: 4 }), form).map(
    ([words, ending]) => `Zephyr ${words.join(' ')}${ending}`,
  )

  test('similarity is symmetric, in range, and exact for the same name', () => {
    const any = string({ unit: 'grapheme', maxLength: 30 })
    for (const text of [name, any]) {
      assert(
        property(text, text, (a, b) => {
          const compared = compare(a, b)
          expect(compare(b, a)).toEqual(compared)
          if (compared === undefined) return
          expect(compared.similarity).toBeGreaterThanOrEqual(0)
          expect(compared.similarity).toBeLessThanOrEqual(1)
          expect(compared.similarity === 1).toBe(compared.level === 'exact')
          expect(compare(a, a)).toEqual({ level: 'exact', similarity: 1 })
        }),
      )
    }
  })

  test('case, accents and the order of words do not matter', () => {
    assert(
      property(name, (written) => {
        const plain = written.normalize('NFD').replace(/\p{M}/gu, '')
        for (const other of [written.toUpperCase(), written.toLowerCase(), plain]) {
          expect(compare(written, other)?.level).toBe('exact')
        }
      }),
    )
    assert(
      property(array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const own = words.filter((one) => /\p{L}{3}/u.test(one))
        const compared = compare(['Zephyr', ...own].join(' '), [...own.reverse(), 'Zephyr'].join(' '))
        expect(['exact', 'equivalent']).toContain(compared?.level)
      }),
    )
  })

  test('a different number means a different company', () => {
    assert(
      property(constantFrom(1, 2, 12, 2004), constantFrom(3, 7, 21, 2005), (a, b) => {
        expect(compare(`Zephyr Fund ${a}`, `Zephyr Fund ${b}`)!.similarity).toBeLessThan(sameFrom)
      }),
    )
  })
})
