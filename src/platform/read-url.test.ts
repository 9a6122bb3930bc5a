import { describe, expect, test } from 'vitest'
import { readUrl } from './read-url.ts'

const long = '一'.repeat(256)

describe('an address that a stranger sent', () => {
  test.each([
    ['https://www.example.com/a?b#c', 'https://www.example.com/a?b#c'],
    [' HTTPS://Münch.example:443/ ', 'https://xn--mnch-0ra.example/'],
    ['https:\\\\www.example.com\\a', 'https://www.example.com/a'],
    ['https:www.example.com', 'https://www.example.com/'],
    ['ht\ntps:/\t/www.example.com', 'https://www.example.com/'],
    ['https://[::1]:8080/', 'https://[::1]:8080/'],
    [`https://${'u'.repeat(300)}@x.example/`, `https://${'u'.repeat(300)}@x.example/`],
    [`https://x.example/${'a'.repeat(300)}`, `https://x.example/${'a'.repeat(300)}`],
    [`https://x.example?${'a'.repeat(300)}`, `https://x.example/?${'a'.repeat(300)}`],
    [`https://${'a'.repeat(255)}/`, `https://${'a'.repeat(255)}/`],
    ['android-app://com.example.app/', 'android-app://com.example.app/'],
    ['about:blank', 'about:blank'],
  ])('%j is read as %j', (address, href) => {
    expect(readUrl(address)?.href).toBe(href)
  })

  test.each([null, 5, '', '/a', 'www.example.com', 'https://', 'https://a b/', `//${long}`])(
    '%j is not an address',
    (address) => {
      expect(readUrl(address)).toBeNull()
    },
  )

  test.each([
    `https://${long}/`,
    `https://user@${long}`,
    `https://a@b@${long}?a@b`,
    `https:\\\\${long}\\a`,
    `https:${long}`,
    `https:////${long}#a`,
    ` ht\ntps:/\t/${long}`,
    `https://${'a'.repeat(256)}/`,
  ])('a host of more than 255 characters is not an address: %j', (address) => {
    expect(readUrl(address)).toBeNull()
  })
})
