import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'

// Prefer headless Chromium: the tests take 0.6 of the time.
const paths = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

/** The path of an installed Chromium. Without one, the file's tests are skipped, or fail in CI. */
export function chromiumOrSkip(): string | null {
  const found = process.env.CHROMIUM ?? paths.find((path) => existsSync(path)) ?? null
  if (found === null)
    test.runIf(process.env.CI === 'true')(
      'the console in a browser: SKIPPED, because Chromium is not installed (apt-get install chromium-headless-shell; ' +
        'CHROMIUM can name its path)',
      () => expect(found).not.toBeNull(),
    )
  return found
}
