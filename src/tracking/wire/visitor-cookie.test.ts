import { expect, test } from 'vitest'
import { visitorCookie } from './visitor-cookie.ts'

const asked = {
  'x-cw-cookie': 'a1 example.com',
  'sec-fetch-site': 'same-origin',
  origin: 'https://www.example.com',
}

test('a page of the same origin gets the id cookie for 395 days', () => {
  expect(visitorCookie(asked)).toBe(
    'cw_id=a1; Max-Age=34128000; Path=/; SameSite=Lax; Secure; Domain=example.com',
  )
  const plain = { ...asked, 'x-cw-cookie': 'a1 ', origin: 'http://127.0.0.1:3000' }
  expect(visitorCookie(plain)).toBe('cw_id=a1; Max-Age=34128000; Path=/; SameSite=Lax')
})

test.each([
  ['a page of another origin', { ...asked, 'sec-fetch-site': 'same-site' }],
  ['a request without Sec-Fetch-Site', { ...asked, 'sec-fetch-site': undefined }],
  ['a request that asks for none', { ...asked, 'x-cw-cookie': undefined }],
  ['an id with a semicolon', { ...asked, 'x-cw-cookie': 'a;Domain=x example.com' }],
  ['a domain with a line break', { ...asked, 'x-cw-cookie': 'a1 x\r\ny' }],
  ['several headers', { ...asked, 'x-cw-cookie': ['a1 example.com', 'a2 example.com'] }],
])('a request with %s gets no cookie', (_what, headers) => {
  expect(visitorCookie(headers)).toBeNull()
})
