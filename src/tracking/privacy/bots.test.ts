import { expect, test } from 'vitest'
import { isAutomated } from './bots.ts'

const chrome = (name: string) =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ${name}/150.0.0.0 Safari/537.36`
const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

test.each<[string, boolean, object, string | null]>([
  ['a person', false, { userAgent: chrome('Chrome') }, chrome('Chrome')],
  ['a browser that WebDriver controls', true, { webdriver: true }, chrome('Chrome')],
  ['a browser without a window', true, {}, chrome('HeadlessChrome')],
  ['a crawler, by its header', true, {}, googlebot],
  ['a crawler, by the user agent in the event', true, { userAgent: 'GPTBot/1.0' }, null],
  ['an app', false, { library: { name: 'analytics-kotlin' } }, 'okhttp/4.9.3'],
  ['a program of a server', false, {}, 'node'],
  ['a request of a server', false, {}, null],
  ['values that are not text', false, { webdriver: 'true', userAgent: {} }, null],
])('the user agent %s counts as a bot: %j', (_what, expected, context, header) => {
  for (let n = 0; n < 2; n++) expect(isAutomated({ ...context }, header)).toBe(expected)
})

test('a very long user agent is judged by its beginning', () => {
  expect(isAutomated({ userAgent: `GPTBot/1.0 ${'a/1 ('.repeat(100_000)}` }, null)).toBe(true)
  expect(isAutomated({ userAgent: `${chrome('Chrome')} ${'x'.repeat(1_000)} GPTBot/1.0` }, null)).toBe(false)
})
