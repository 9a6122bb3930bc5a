import { array, assert, constantFrom, property, string, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareGivenNames, comparePersonNames } from './compare-persons.ts'
import { type NameLevel, sameFrom } from './comparison.ts'
import { readPersonName } from './person.ts'

const compare = (a: string, b: string) => comparePersonNames(readPersonName(a), readPersonName(b))
const table = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' | ') as [string, string])

const levels: Record<NameLevel, string> = {
  exact: `
    Ada Lovelace | Ada Lovelace
    Ada Lovelace | ADA LOVELACE
    Ada Lovelace | Lovelace, Ada
    Ada Lovelace | Dr. Ada Lovelace, PhD
    Ada Lovelace | Mrs Ada Lovelace
    José García | Jose Garcia
    François Lefèvre | FRANCOIS LEFEVRE
    Łukasz Żuk | Lukasz Zuk
    Pat O'Brien | Pat O’Brien
    Pat O'Brien | Pat OBrien
    Jean-Luc Picard | Jean Luc Picard
    van der Berg, Jan | Jan van der Berg
    VladimirPutin | Vladimir Putin
    Robert (Bob) Smith | Robert Smith
    DUPONT Jean | Jean Dupont
    Martin King Jr | Martin King, Jr.
    Søren Øster | Soren Oster
    Ádám Nagy | Adam Nagy
    José María Aznar | Jose Maria Aznar
    Abdul Aziz Nuristani | Abdelaziz Nuristani
    Jan Daniel Bothma | JanDaniel Bothma
    Madonna | MADONNA`,
  equivalent: `
    Bob Smith | Robert Smith
    Kasia Nowak | Katarzyna Nowak
    Beppe Verdi | Giuseppe Verdi
    Pepe Torres | José Torres
    Hans Weber | Johannes Weber
    Ivanov Ivan Ivanovich | Ivan Ivanov
    Иванова Анна Петровна | Anna Ivanova
    Tchaikovsky, Pyotr | Чайковский Пётр
    김정은 | Kim Jong Un
    Md. Rahman | Mohammed Rahman
    Bill Gates | William Gates
    Liz Taylor | Elizabeth Taylor
    Ted Kennedy | Edward Kennedy
    Ben Harris | Benjamin Harris
    Tony Blair | Anthony Blair
    Alex Jones | Alexander Jones
    Alex Jones | Alexandra Jones
    Peggy Olson | Margaret Olson
    Mike Miller | Michael Miller
    Kate Winter | Katherine Winter
    Smith John | John Smith
    Jong-un Kim | Kim Jong-un
    John Q. Smith | John Smith
    John Quincy Smith | John Smith
    Sergey Lavrov | Sergey Viktorovich Lavrov
    Anna Müller | Anna Mueller
    Jörg Köhler | Joerg Koehler
    Sergey Ivanov | Sergei Ivanov
    Sergey Ivanov | Sergej Iwanow
    Sergey Ivanov | Сергей Иванов
    Volodymyr Zelensky | Volodymyr Zelenskyy
    Volodymyr Zelenskyy | Володимир Зеленський
    Dmitry Medvedev | Dmitri Medwedew
    Dmitry Medvedev | Дмитрий Медведев
    Mohammed Ali | Muhammad Aly
    Mohamed Hassan | Mohammad Hasan
    Usama bin Ladin | Osama bin Laden
    Muammar Gaddafi | Muammar Qaddafi
    Bachar el-Assad | Bashar al-Assad
    Yuri Gagarin | Jurij Gagarin
    Yusuf Islam | Youssef Islam
    Steven King | Stephen King
    Catherine Tate | Katherine Tate
    Philip Glass | Phillip Glass
    Jon Snow | John Snow
    Sara Connor | Sarah Connor
    Eric Blair | Erik Blair
    Jan van den Berg | Jan van der Berg
    Jan Berg | Jan van der Berg
    Xi Jinping | 习近平
    Pat O Brien | Pat O'Brien
    Martin King Jr | Martin King
    Sergey Sergey Shoigu | Sergey Shoigu
    Thomas Schulz | Thomas Schultz
    Bob Parker | Rob Parker
    Basharr al-Assad | Bashar al-Asad
    J. Smith | Smith J.
    Evgeny Petrov | Yevgeny Petrov`,
  close: `
    Ada Lovelace | Ada Lovelcae
    Ada Lovelace | Ada Lovlace
    Olaf Scholz | Olaf Scholze
    Emmanuel Macron | Emmanuel Marcon
    Friedrich Lindenberg | Fredrich Lindenberg
    Alexander Lukashenko | Alexander Luakshenko
    Jan Schmidt | Jan Schmitt
    Anna Meier | Anna Maier
    Peter Hoffmann | Peter Hofmann-Wagner
    Anna Müller | Anna Müller-Lüdenscheidt
    Gabriel Márquez | Gabriel Márquez Iguarán
    Liz Parker | Beth Parker
    محمد سلمان | Mohammed Salman
    Theodore Mosrir | Theodore Morris
    Isla Price | Isla Pcire
    Russell Sofia | Fosia Russell
    Maria Gonzalez | Maria Gonzales
    Peter Petersen | Peter Pedersen
    Boris Johnson | Alexandre Boris de Pfeffel Johnson`,
  compatible: `
    J. Smith | John Smith
    John S. | John Smith
    Smith, J. | John Smith
    Smith, J. P. | John Paul Smith
    JC Juncker | Jean-Claude Juncker
    J.-C. Juncker | Jean-Claude Juncker
    A. Khamenei | Ali Khamenei
    J. Smyth | John Smith
    J. Lovlace | J. Lovelace
    J. Smith | J. P. Smith
    Novak D. | Novak Djokovic
    Smith | John Smith
    John | John Smith
    J. S. | John Smith`,
  partial: `
    Angelo Merkel | Angela Merkel
    Mario Rossi | Maria Rossi
    Daniel Craig | Danielle Craig
    Daniel Craig | Daniela Craig
    Andrea Bauer | Andreas Bauer
    Simon Weil | Simone Weil
    Christian Lang | Christiane Lang
    Christian Lang | Christina Lang
    Michael Jordan | Michaela Jordan
    Paul Newman | Paula Newman
    Alexander Wang | Alexandra Wang
    Francis Bacon | Frances Bacon
    Francesco Totti | Francesca Totti
    Martin Short | Martina Short
    Patrick Stewart | Patricia Stewart
    Andrew Smith | Andrea Smith
    Eric Clapton | Erica Clapton
    Louis Vuitton | Louise Vuitton
    Nicola Rossi | Nicolas Rossi
    Luca Bianchi | Lucas Bianchi
    Harry Page | Larry Page
    Mark Twain | Mary Twain
    Joan Collins | John Collins
    Kim Basinger | Tim Basinger
    Barack Obama | Michelle Obama
    Olaf Scholz | Octavian Scholz
    Alan Turing | Ellen Turing
    John Smith | John Miller
    John Smith | Peter Smith
    Alexander Lukashenko | Alexander Lukashevich
    Jan Kowalski | Jan Nowak
    Wei Wang | Wei Zhang
    Min Park | Min Kang
    Bart De Vries | Bart De Wever
    Kim Jong Il | Kim Jong Un
    John A. Smith | John B. Smith
    John Adam Smith | John Brian Smith
    Hans O Friedrich | Hans Joachim Friedrich
    William G Frost | William W Frost
    Sergey Viktorovich Lavrov | Sergey Borisovich Lavrov
    John Smith Jr. | John Smith Sr.
    John Smith II | John Smith III
    Martin King Sr | Martin King II
    Nguyen Van An | Nguyen Thi An
    Thomas Martin | Martin Cooper
    Thomas Martin | Martin Thomas Cooper
    Anna Maria Schmidt | Anna Schneider`,
  distinct: `
    John Smith | Peter Miller
    Ada Lovelace | Grace Hopper
    Isaac Newton | Albert Einstein
    Pol Pot | Paul Mitchell
    Usama bin Laden | Isa bin Tarif
    Vladimir Putin | Xi Jinping
    Nils Trosterich | Oscar Troost
    Madonna | Prince
    A. B. | C. D.
    Müller, Anna | Weber, Hans
    Jan van der Berg | Piet van der Meer
    Иван Петров | Олег Сидоров`,
}

for (const [level, pairs] of Object.entries(levels)) {
  test.each(table(pairs))(`the names %s and %s are ${level}`, (a, b) => {
    expect(compare(a, b)?.level).toBe(level)
    expect(compare(b, a)).toEqual(compare(a, b))
  })
}

test('the table has more than 120 cases', () => {
  expect(Object.values(levels).flatMap(table).length).toBeGreaterThan(120)
})

describe('with fields', () => {
  const fields = (given: string, family: string) => readPersonName({ given, family })
  test.each([
    ['John', 'Smith', 'John', 'Smith', 'exact'],
    ['John', 'Smith', 'Smith', 'John', 'equivalent'],
    ['Martin', 'Thomas', 'Thomas', 'Martin', 'equivalent'],
    ['Thomas', 'Martin', 'Thomas Martin', 'Cooper', 'partial'],
    ['Bob', 'Smith', 'Robert', 'Smith', 'equivalent'],
    ['Maria', 'Ivanov', 'Maria', 'Ivanova', 'close'],
    ['Dr. Jan', 'van der Berg', 'Jan van der', 'Berg', 'exact'],
  ])('the names %s + %s and %s + %s are %s', (given, family, otherGiven, otherFamily, level) => {
    expect(comparePersonNames(fields(given, family), fields(otherGiven, otherFamily))?.level).toBe(level)
  })

  test.each([
    ['Bob', 'Müller', 'Robert James', 'Muller', 'equivalent'],
    ['Bob', 'Müller', 'B.', 'Meier', 'compatible'],
    ['Angelo', 'Meier', 'Angela', 'Meier', 'distinct'],
    ['J.', 'Meier', 'John', 'Smith', 'compatible'],
    ['Jean-Luc', 'Picard', 'jean luc', 'Berg', 'exact'],
    ['Dr. Ada', 'King', 'Ada', 'Lovelace', 'exact'],
    ['Bob', 'Müller', '', 'Müller', undefined],
  ])('the given names of %s + %s and %s + %s are %s', (given, family, otherGiven, otherFamily, level) => {
    const [one, other] = [fields(given, family), fields(otherGiven, otherFamily)]
    expect(compareGivenNames(one, other)?.level).toBe(level)
    expect(compareGivenNames(other, one)).toEqual(compareGivenNames(one, other))
  })
})

describe('always', () => {
  const given = constantFrom(
    ...'Ada Grace Bob Robert Angelo Angela José Mohammed Jan J. Sergey Zoë Anne-Marie'.split(' '),
  )
  const family = constantFrom(
    ...'Lovelace Müller Smith Ivanov García Nguyen Köhler Schmidt Ødegård'.split(' '),
  )
  const name = tuple(array(given, { minLength: 1, maxLength: 3 }), family)
  const full = ([first, last]: [string[], string]) => [...first, last].join(' ')

  test('similarity is symmetric, in range, and exact only for the same name', () => {
    const any = string({ unit: 'grapheme', maxLength: 30 })
    for (const text of [name.map(full), any]) {
      assert(
        property(text, text, (a, b) => {
          const compared = compare(a, b)
          expect(compare(b, a)).toEqual(compared)
          if (compared === undefined) return
          expect(compared.similarity).toBeGreaterThanOrEqual(0)
          expect(compared.similarity).toBeLessThanOrEqual(1)
          expect(compared.similarity === 1).toBe(compared.level === 'exact')
          if (compared.level === 'distinct' || compared.level === 'partial')
            expect(compared.similarity).toBeLessThan(sameFrom)
          expect(compare(a, a)).toEqual({ level: 'exact', similarity: 1 })
        }),
      )
    }
  })

  test('order, case and accents do not matter', () => {
    assert(
      property(name, ([first, last]) => {
        const written = full([first, last])
        const plain = written.normalize('NFD').replace(/\p{M}/gu, '')
        for (const other of [written.toUpperCase(), written.toLowerCase(), plain]) {
          expect(compare(written, other)?.level).toBe('exact')
        }
        expect(compare(written, `${last}, ${first.join(' ')}`)?.level).toBe('exact')
        const reversed = [last, ...first].join(' ')
        expect(['exact', 'equivalent']).toContain(compare(written, reversed)?.level)
      }),
    )
  })

  test('a different family name means a different person, for any given names', () => {
    assert(
      property(given, given, family, family, (one, other, a, b) => {
        if (a === b) return
        const compared = compare(`${one} ${a}`, `${other} ${b}`)
        expect(compared!.similarity).toBeLessThan(sameFrom)
      }),
    )
  })
})
