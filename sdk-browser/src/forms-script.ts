import { showForm } from './forms/embedded-form.ts'
import { watchForm } from './forms/own-form.ts'
import { warn } from './warn.ts'

// <script async src="https://host/sdk/forms-v1.js" data-key="wk_live_…"></script>
const script = document.currentScript as HTMLScriptElement | null
/** The folder above the script: the server, or the proxy path of the site that leads to it. */
const place = { host: new URL('..', script?.src ?? location.href).href, key: script?.dataset.key ?? '' }

const begun = new WeakSet<Element>()

/** Finds the places of forms on the page: `data-crosswalk-embed` shows a form, and `data-crosswalk-form` watches one. */
function begin(): void {
  for (const element of document.querySelectorAll<HTMLElement>(
    '[data-crosswalk-embed],[data-crosswalk-form]',
  )) {
    if (begun.has(element)) continue
    begun.add(element)
    const { crosswalkEmbed: embed, crosswalkForm: own } = element.dataset
    if (embed) showForm(place, element, embed).catch(warn)
    else if (own && element instanceof HTMLFormElement) watchForm(place, element, own).catch(warn)
  }
}

const page = window as { crosswalkForms?: () => void }
/** Call it after the page has added a form without a reload. */
page.crosswalkForms = begin
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin)
else begin()
