/** A release, and the day on which it was published (UTC). */
type Release = { version: string; day: string }

export type Software = 'Node.js' | 'OpenSSL' | 'PostgreSQL'

const releasedOn = (day: string, ...versions: string[]): Release[] =>
  versions.map((version) => ({ version, day }))

/**
 * The known releases, newest first. A version older than the first listed release of its line gets a warning. Update
 * the list with each release of Crosswalk. Sources: the news of postgresql.org and openssl-library.org; for Node.js,
 * the publication days of the packages in package-lock.json.
 */
const releases: Record<Software, readonly Release[]> = {
  'Node.js': releasedOn('2026-09-23', '26.10.0'),
  OpenSSL: releasedOn('2026-08-25', '3.5.8'),
  PostgreSQL: [
    ...releasedOn('2026-08-13', '18.6', '17.11', '16.15', '15.19'),
    ...releasedOn('2026-05-14', '18.4', '17.10', '16.14', '15.18'),
    ...releasedOn('2026-02-26', '18.3', '17.9', '16.13', '15.17'),
  ],
}

/** How many leading parts of a version identify its line. Within a line, releases only fix bugs. */
const lineParts: Record<Software, number> = { 'Node.js': 1, OpenSSL: 2, PostgreSQL: 1 }

// A warning appears after this many days. All three projects publish fixes more often.
const warnAfterDays = 180
const dayMs = 86_400_000

/**
 * `released` is the day and the age; null if unknown. `warning` says why to look for a newer release; null if there
 * is no reason.
 */
export type VersionAssessment = { released: string | null; warning: string | null }

/** Says when the running version was released, and warns about an old one. */
export function assessVersion(software: Software, version: string, now: Date): VersionAssessment {
  const running = partsOf(version)
  const line = running.slice(0, lineParts[software]).join('.')
  const known = releases[software].filter((release) => `${release.version}.`.startsWith(`${line}.`))
  const same = known.find((release) => compare(partsOf(release.version), running) === 0)
  const age = same && Math.floor((now.getTime() - Date.parse(same.day)) / dayMs)
  const released = same ? `${same.day}, ${age} days ago` : null
  const name = `${software} ${running.join('.')}`
  const [newest] = known
  if (newest && compare(running, partsOf(newest.version)) < 0) {
    const warning = `${name} lacks the security fixes of ${newest.version}, which came out on ${newest.day}.`
    return { released, warning }
  }
  if (!newest)
    return {
      released,
      warning: `${name} belongs to a release line that this version of Crosswalk does not know.`,
    }
  const isAged = age !== undefined && age > warnAfterDays
  return { released, warning: isAged ? `${name} is ${age} days old: look for a newer release.` : null }
}

/** Reads the numbers of a version such as `15.18 (Debian 15.18-0+deb12u1)` or `v26.10.0`. */
function partsOf(version: string): number[] {
  return (/\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number)
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((part, index) => part !== (b[index] ?? 0))
  return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? 0)
}
