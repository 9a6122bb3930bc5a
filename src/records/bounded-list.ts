import { answerBytesMax, answerTooLarge } from '../platform/db/row-bound.ts'
import { Json } from '../platform/json.ts'
import { mapInSlices } from '../platform/slices.ts'

export const bodyOrAnswerTooLarge =
  'The body is too large, or the records of the answer have more than 4 MiB (`answer_too_large`)'

/**
 * Makes a JSON list in slices. A record can be in the list many times, so the size of the list itself is limited.
 * @throws DomainError too_large
 */
export async function boundedList<Item>(
  owner: string,
  items: readonly Item[],
  toText: (item: Item) => string,
): Promise<Json> {
  let bytes = 0
  const texts = await mapInSlices(owner, items, (item) => {
    const text = toText(item)
    bytes += Buffer.byteLength(text)
    if (bytes > answerBytesMax) throw answerTooLarge()
    return text
  })
  return Json.list(texts)
}
