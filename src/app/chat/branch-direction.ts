/** Which of a branch picker's two buttons. */
export type Direction = 'previous' | 'next';
