import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Opened } from './console.ts'
import { patience } from './patience.ts'

/** A number above the number of controls on any page. */
const tabsMax = 120

/** A person who uses a page without a pointer. */
export class Keyboard {
  readonly #page: Page

  constructor({ page }: Opened) {
    this.#page = page
  }

  /** Presses Tab until a control has the focus. Fails if it never does, or if the focus is invisible. */
  async reach(control: Locator): Promise<void> {
    await control.waitFor({ state: 'attached' })
    for (let tabs = 0; !(await hasFocus(control)); tabs++) {
      if (tabs === tabsMax) throw new Error(`Tab never reaches ${control}`)
      await this.#page.keyboard.press('Tab')
    }
    expect(await this.#page.evaluate(isFocusSeen), `the focus at ${control} can be seen`).toBe(true)
  }

  /** Presses a button, or follows a link. */
  async press(control: Locator): Promise<void> {
    await this.reach(control)
    await this.#page.keyboard.press('Enter')
  }

  async tick(box: Locator): Promise<void> {
    await this.reach(box)
    await this.#page.keyboard.press('Space')
  }

  /** Chooses one of a few values: Tab reaches the current one, and arrow keys change it. */
  async choose(option: Locator, { from }: { from: Locator }): Promise<void> {
    await this.reach(from)
    for (let steps = 0; !(await option.isChecked()); steps++) {
      if (steps === tabsMax) throw new Error(`The arrows never reach ${option}`)
      await this.#page.keyboard.press('ArrowRight')
    }
  }

  /** Replaces the text of a field. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.reach(field)
    await this.#page.keyboard.press('Control+A')
    await this.#page.keyboard.type(text)
  }

  /**
   * Requires that a control has the focus without Tab, such as the first field, or a button after its dialog is
   * closed.
   */
  async requireFocus(control: Locator): Promise<void> {
    await expect.poll(() => hasFocus(control), patience).toBe(true)
  }
}

const hasFocus = (control: Locator) => control.evaluate((element) => element === document.activeElement)

/** Runs in the page. A control's label may have the outline. */
function isFocusSeen(): boolean {
  const focused = document.activeElement
  // A grid has the focus, and its active row has the outline.
  const active = document.getElementById(focused?.getAttribute('aria-activedescendant') ?? '')
  return [focused, focused?.closest('label'), focused?.firstElementChild, active].some((element) => {
    if (!element || element === document.body) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  })
}
