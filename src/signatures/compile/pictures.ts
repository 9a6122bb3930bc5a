import { attribute, type Element, isElement, type Parent } from './tree.ts'
import { shortenForMessage, type Warnings } from './warnings.ts'

const picturesMax = 6

/** Warns about pictures that mail programs show badly. */
export function warnOfPictures(tree: Parent, warnings: Warnings): void {
  const pictures = picturesIn(tree)
  for (const picture of pictures) {
    const which = `the picture ${shortenForMessage(attribute(picture, 'src') ?? '')}`
    if (attribute(picture, 'alt') === undefined) {
      warnings.add(
        'image_without_alt',
        `${which} has no alt="…": most mail programs hide pictures at first and show that text`,
      )
    }
    if (!isSized(picture)) {
      warnings.add(
        'image_without_size',
        `${which} has no width="…" and height="…": Outlook shows it in its full size`,
      )
    }
  }
  if (pictures.length > picturesMax) {
    warnings.add('many_images', `there are ${pictures.length} pictures: spam filters may block such messages`)
  }
}

/** Outlook ignores sizes in styles. */
const isSized = (picture: Element) =>
  attribute(picture, 'width') !== undefined && attribute(picture, 'height') !== undefined

function picturesIn(parent: Parent): Element[] {
  return parent.childNodes
    .filter(isElement)
    .flatMap((element) => (element.tagName === 'img' ? [element] : picturesIn(element)))
}
