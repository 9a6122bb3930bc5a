import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Opened } from './console.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Look = { colorScheme: 'light' | 'dark'; width: 1440 | 390 }

/** The rules of axe-core that depend on colors and sizes. */
const rulesOfLooks = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

/** axe-core runs these rules only on demand. */
const rules = { 'target-size': { enabled: true } }

const desk: Look = { colorScheme: 'light', width: 1440 }
const phone: Look = { colorScheme: 'dark', width: 390 }
const otherLooks: Look[] = [
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 390 },
]

/**
 * Requires that a page has no error, no finding of axe-core (WCAG 2.2 AA), and no sideways scrolling.
 * @param only only these rules of axe-core; by default all
 */
export async function requireNoFaults({ page, faults }: Opened, only?: readonly string[]): Promise<void> {
  // Load axe-core again after each load of the page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const options = { resultTypes: ['violations'], ...(only ? { runOnly: only } : { rules }) }
  const { violations, overflow } = await page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    const { violations } = await axe.run(options)
    const { scrollWidth, clientWidth } = document.documentElement
    return {
      violations: violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      ),
      overflow: scrollWidth - clientWidth,
    }
  }, options)
  expect({ violations, faults, overflow }).toEqual({ violations: [], faults: [], overflow: 0 })
}

async function requireNoFaultsIn(
  opened: Opened,
  looks: readonly Look[],
  only?: readonly string[],
): Promise<void> {
  for (const look of looks) {
    await show(opened.page, look)
    await requireNoFaults(opened, only)
  }
  await show(opened.page, desk)
}

async function show(page: Page, { colorScheme, width }: Look): Promise<void> {
  // Turn motion off, so that no color is measured during a transition.
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
}

/** Calls `requireNoFaults` with the light theme on a desktop, and with the dark theme on a phone. */
export const requireNoFaultsInTwoThemes = (opened: Opened): Promise<void> =>
  requireNoFaultsIn(opened, [desk, phone])

/** Calls `requireNoFaults` with both themes, on a desktop and on a phone. */
export async function requireNoFaultsInAllLooks(opened: Opened): Promise<void> {
  await requireNoFaultsInTwoThemes(opened)
  await requireNoFaultsIn(opened, otherLooks, rulesOfLooks)
}
