/**
 * What is compared to tell whether a mailbox still has what was installed: equal for what differs in how it is written
 * alone, different for any other text, link, image or structure.
 */
export function canonicalHtml(html: string): string {
  return html.trim()
}
