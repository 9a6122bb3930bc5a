import { expect, test } from 'vitest'
import { domainOfWebsite } from './website.ts'

test.each([
  ['https://www.Acme.com/about?x=1', 'acme.com'],
  ['acme.co.uk', 'acme.co.uk'],
  ['shop.acme.example', 'shop.acme.example'],
  ['http://acmefacebook.com', 'acmefacebook.com'],
  ['https://facebook.com.acme.example', 'facebook.com.acme.example'],
  ['https://acme.wordpress.com', 'acme.wordpress.com'],
  ['https://www.facebook.com/acme', null],
  ['https://de.linkedin.com/company/acme', null],
  ['https://x.com/acme', null],
  ['info@gmail.com', null],
  ['https://sites.google.com/view/acme', null],
  ['n/a', null],
  ['', null],
])('the domain of %j is %j', (website, domain) => {
  expect(domainOfWebsite(website)).toBe(domain)
})
