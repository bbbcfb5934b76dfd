/** Shapes of a picture that is to be made; how many pixels that is, each model says. */
export const PICTURE_SHAPES = ['square', 'landscape', 'portrait'] as const;
export type PictureShape = (typeof PICTURE_SHAPES)[number];
