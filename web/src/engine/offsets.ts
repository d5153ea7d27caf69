// Places of a text in bytes, as engines count, and in UTF-16 units, as browsers do.

export class Offsets {
  readonly text: string;
  // For every character beyond ASCII: where it ends in units, and in bytes.
  private readonly units: number[] = [];
  private readonly bytes: number[] = [];

  constructor(text: string) {
    this.text = text;
    let extra = 0;
    for (const found of text.matchAll(/[^\x00-\x7f]/gu)) {
      const point = found[0].codePointAt(0)!;
      const length = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      extra += length - found[0].length;
      const end = found.index + found[0].length;
      this.units.push(end);
      this.bytes.push(end + extra);
    }
  }

  unit(byte: number): number {
    return this.mapped(byte, this.bytes, this.units);
  }

  byte(unit: number): number {
    return this.mapped(unit, this.units, this.bytes);
  }

  private mapped(place: number, from: number[], to: number[]): number {
    let [low, high] = [0, from.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (from[middle]! <= place) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? place : place - from[low - 1]! + to[low - 1]!;
  }
}
