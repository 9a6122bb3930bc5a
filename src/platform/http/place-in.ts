import type { Cursors } from './cursor.ts'

/** Where a page of a list begins, and the cursor of the next page. */
export class PlaceIn<Place> {
  readonly after: Place | null
  readonly #seal: (place: Place) => string

  /**
   * @param filters the name of the list, and the filters that all its pages share
   * @throws ValidationError if the cursor is not of this list with these filters
   */
  constructor(
    cursors: Cursors,
    { orgId }: { orgId: string },
    filters: readonly unknown[],
    cursor: string | undefined,
  ) {
    const list = JSON.stringify(filters)
    const position = cursor === undefined ? null : cursors.open(orgId, list, cursor)
    this.after = position && (JSON.parse(position.after) as Place)
    const page = (position?.page ?? 1) + 1
    this.#seal = (place) => cursors.seal(orgId, list, { after: JSON.stringify(place), page })
  }

  /** The cursor of the page after a place; null without a place. */
  seal(place: Place | null): string | null {
    return place && this.#seal(place)
  }
}
