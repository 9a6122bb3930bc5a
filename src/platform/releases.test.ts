import { describe, expect, test } from 'vitest'
import { assessVersion, type Software } from './releases.ts'

const now = new Date('2026-11-22T12:00:00Z')

describe('the version of the software that Crosswalk runs on', () => {
  test.each<[Software, string, string | null, RegExp | null]>([
    ['Node.js', 'v26.10.0', '2026-09-23, 60 days ago', null],
    ['Node.js', 'v26.12.1', null, null],
    ['Node.js', 'v26.9.0', null, /^Node.js 26.9.0 lacks the security fixes of 26.10.0, .* 2026-09-23\.$/],
    ['Node.js', 'v28.0.0', null, /line that this version of Crosswalk does not know/],
    ['OpenSSL', '3.5.8', '2026-08-25, 89 days ago', null],
    ['OpenSSL', '3.5.8+quic', '2026-08-25, 89 days ago', null],
    ['OpenSSL', '3.5.10', null, null],
    ['OpenSSL', '3.0.19', null, /does not know/],
    ['PostgreSQL', '18.6', '2026-08-13, 101 days ago', null],
    ['PostgreSQL', '18.4', '2026-05-14, 192 days ago', /^PostgreSQL 18.4 lacks the security fixes of 18.6/],
    ['PostgreSQL', '15.20 (Debian 15.20-0+deb12u1)', null, null],
    ['PostgreSQL', '15.18 (Debian 15.18-0+deb12u1)', '2026-05-14, 192 days ago', /^PostgreSQL 15.18 lacks/],
    ['PostgreSQL', '15.2', null, /^PostgreSQL 15.2 lacks the security fixes of 15.19/],
    ['PostgreSQL', '19beta1', null, /^PostgreSQL 19 belongs to a release line/],
  ])('release check: %s %s', (software, version, released, warning) => {
    const judged = assessVersion(software, version, now)
    expect(judged.released).toBe(released)
    if (warning === null) expect(judged.warning).toBeNull()
    else expect(judged.warning).toMatch(warning)
  })

  test('the version of the software that Crosswalk runs on gets a warning 180 days after its release', () => {
    const later = new Date('2027-06-01T00:00:00Z')
    expect(assessVersion('Node.js', 'v26.10.0', later).warning).toBe(
      'Node.js 26.10.0 is 251 days old: look for a newer release.',
    )
  })
})

test('package-lock.json installs no version older than the list in releases.ts', () => {
  expect(assessVersion('Node.js', process.version, now).warning).toBeNull()
  expect(assessVersion('OpenSSL', process.versions.openssl, now).warning).toBeNull()
})
