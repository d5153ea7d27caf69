// What the comments of a program say.

// The first sentence of a program's first comment: the whole sentence, over as many lines as it takes.
export function firstSentence(program: string): string {
  const lines = program.split("\n");
  const first = lines.findIndex((line) => /^\/\/+\s*\S/.test(line));
  if (first < 0) return "";
  const words: string[] = [];
  for (const line of lines.slice(first)) {
    const comment = /^\/\/+\s*(\S.*)$/.exec(line)?.[1];
    if (comment === undefined) break;
    words.push(comment.trim());
  }
  const text = words.join(" ");
  // The stop behind an initial, "S. Arun", or an abbreviation, "no. 1", ends no sentence.
  const end = /(?<!\b\p{Lu})[.!?](?=\s+[\p{Lu}"]|$)/u.exec(text);
  return end ? text.slice(0, end.index + 1) : text;
}
