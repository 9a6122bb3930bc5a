// Read an element of an array, and throw if the index is out of range. Each kind of array has a function of its own,
// which V8 can optimize.

const outside = (index: number): RangeError => new RangeError(`No element at ${index}`)

/** @throws RangeError */
export function uint8At(array: Uint8Array, index: number): number {
  const element = array[index]
  if (element === undefined) throw outside(index)
  return element
}

/** @throws RangeError */
export function uint32At(array: Uint32Array, index: number): number {
  const element = array[index]
  if (element === undefined) throw outside(index)
  return element
}

/** @throws RangeError */
export function uint16At(array: Uint16Array, index: number): number {
  const element = array[index]
  if (element === undefined) throw outside(index)
  return element
}

/** @throws RangeError */
export function int16At(array: Int16Array, index: number): number {
  const element = array[index]
  if (element === undefined) throw outside(index)
  return element
}

/** @throws RangeError */
export function int32At(array: Int32Array, index: number): number {
  const element = array[index]
  if (element === undefined) throw outside(index)
  return element
}

/** @throws RangeError */
export function float64At(array: Float64Array, index: number): number {
  const element = array[index]
  if (element === undefined) throw outside(index)
  return element
}

/** @throws RangeError */
export function numberAt(array: readonly number[], index: number): number {
  const element = array[index]
  if (element === undefined) throw outside(index)
  return element
}

/** @throws RangeError */
export function itemAt<Item>(array: ArrayLike<Item>, index: number): Item {
  const item = array[index]
  if (item === undefined) throw outside(index)
  return item
}

/** Adds to an element. @throws RangeError */
export function addAt(array: Float64Array, index: number, amount: number): void {
  array[index] = float64At(array, index) + amount
}
