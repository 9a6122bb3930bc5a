import fc from 'fast-check'
import { parseFragment } from 'parse5'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canonicalHtml } from './canonical.ts'
import { checkTemplate, compileSignature, TemplateFault } from './compile.ts'
import { sanitize } from './sanitize.ts'
import { everyData, templates, texts } from './testing/hostile.ts'
import { bodyOf, written as browserWritten, violations } from './testing/judge.ts'
import { tidy } from './tidy.ts'
import { Warnings } from './warnings.ts'
import { written } from './written.ts'

const runs = Number(process.env.SIGNATURE_INPUTS ?? 200)
const secret = 'planted-secret'

describe('for any template and data', () => {
  const planted = [Object.prototype, String.prototype, Array.prototype, Function.prototype, globalThis]
  beforeAll(() => {
    process.env.PLANTED = secret
    for (const each of planted) {
      Object.defineProperty(each, 'planted', { value: secret, configurable: true, enumerable: false })
    }
  })
  afterAll(() => {
    delete process.env.PLANTED
    for (const each of planted) Reflect.deleteProperty(each, 'planted')
  })

  test(`the compiled signature contains only what is allowed, in ${runs} inputs`, () => {
    let compiled = 0
    let slowest = 0
    fc.assert(
      fc.property(templates, texts, everyData, (html, text, data) => {
        const startedAt = process.cpuUsage()
        let result: ReturnType<typeof compileSignature>
        try {
          result = compileSignature({ html, text }, data)
        } catch (error) {
          expect(error).toBeInstanceOf(TemplateFault)
          const fault = error as TemplateFault
          expect(['html', 'text']).toContain(fault.part)
          expect(fault.message).not.toMatch(/undefined|node_modules|not a function|Cannot/)
          expect(() => compileSignature({ html, text }, data)).toThrow(fault.message)
          return
        } finally {
          const { user, system } = process.cpuUsage(startedAt)
          slowest = Math.max(slowest, (user + system) / 1000)
        }
        compiled++
        expect([...violations(bodyOf(result.html).childNodes)]).toEqual([])
        expect([...violations(parseFragment(result.html).childNodes)]).toEqual([])
        expect(browserWritten(result.html)).toBe(result.html.replaceAll('&nbsp;', '\u00a0'))
        expect(`${result.html}${result.text}${JSON.stringify(result.warnings)}`).not.toContain(secret)
        expect(result.text).not.toMatch(/(?![\t\n])\p{Cc}|\n{3}/u)
        expect(result.size).toBeLessThanOrEqual(10_000)
        const again = sanitize(result.html, new Warnings())
        expect(written(again)).toBe(result.html)
        expect(tidy(again)?.html).toBe(result.html)
        expect(canonicalHtml(canonicalHtml(result.html))).toBe(canonicalHtml(result.html))
        expect(compileSignature({ html, text }, data)).toEqual(result)
        checkTemplate({ html, text })
      }),
      { numRuns: runs },
    )
    expect(compiled / runs).toBeGreaterThan(0.4)
    expect(slowest, 'milliseconds of CPU for one input, including other work of the process').toBeLessThan(
      1000,
    )
  }, 600_000)
})
