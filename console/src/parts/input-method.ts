/** Safari sends the Enter that ends a composition after it, and marks it only by this code. */
const composedKeyCode = 229

/**
 * Leaves the keys of an input method, such as those for Japanese, to it. Its Enter chooses letters, and its Escape drops them:
 * they must not save what is half typed, close an editor, or leave the search.
 */
export function leaveComposedKeys(): void {
  const leave = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === composedKeyCode) event.stopPropagation()
  }
  window.addEventListener('keydown', leave, true)
}
