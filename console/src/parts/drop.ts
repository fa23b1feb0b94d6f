import { useState } from 'react';
import type { DragEvent } from 'react';

/** Returns the handlers of an element on which files are dropped, and whether some are over it. */
export function useDrop(take: (files: FileList) => void) {
  const [isOver, setOver] = useState(false);
  const turn = (isNowOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isNowOver);
  };
  const onDrop = (event: DragEvent): void => {
    turn(false)(event);
    take(event.dataTransfer.files);
  };
  return { isOver, handlers: { onDragOver: turn(true), onDragLeave: turn(false), onDrop } };
}
