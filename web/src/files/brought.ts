// A program that an exported page brings when it becomes a worksheet.

export type Brought = { name: string; text: string };

declare global {
  var broughtProgram: Brought | undefined;
}
