import { describe, expect, it } from 'vitest';
import { mediaTypeOf } from '../../src/core/media-type';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const FTYP = (brand: string): string => `\0\0\0\x20ftyp${brand}\0\0\0\0`;

describe('mediaTypeOf', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n....', 'image/png'],
    ['\xff\xd8\xff\xe0....', 'image/jpeg'],
    ['GIF89a......', 'image/gif'],
    ['RIFF\x24\0\0\0WEBPVP8 ', 'image/webp'],
    ['%PDF-1.7\n%\xe2\xe3', 'application/pdf'],
    ['RIFF\x24\0\0\0WAVEfmt ', 'audio/wav'],
    ['fLaC\0\0\0\x22', 'audio/flac'],
    ['ID3\x04\0\0\0', 'audio/mpeg'],
    ['\xff\xfb\x90\x64\0', 'audio/mpeg'],
    ['\xff\xf3\x44\xc4\0', 'audio/mpeg'],
    ['\xff\xf1\x50\x80\0', 'audio/aac'],
    ['OggS\0\x02........................OpusHead', 'audio/ogg'],
    ['OggS\0\x02........................\x01vorbis', 'audio/ogg'],
    [FTYP('M4A '), 'audio/mp4'],
    [`${FTYP('mp42')}moov....hdlr........soun`, 'audio/mp4'],
    ['\x1a\x45\xdf\xa3....\x42\x82\x84webm....\x86\x86A_OPUS', 'audio/webm'],
  ])('%j is %s', (head, mimeType) => {
    expect(mediaTypeOf(bytes(head))?.mimeType).toBe(mimeType);
  });

  it.each([
    ['xxxx\x24\0\0\0WEBPVP8 '],
    ['RIFF\x24\0\0\0AVI LIST'],
    ['<svg xmlns=""'],
    ['<!doctype html>%PDF-1.7'],
    ['OggS\0\x02........\x80theora....\x01vorbis'],
    [`${FTYP('isom')}moov....hdlr....vide....hdlr....soun`],
    [`${FTYP('avif')}meta`],
    ['\x1a\x45\xdf\xa3....webm....V_VP9....A_OPUS'],
    ['\x1a\x45\xdf\xa3....matroska....A_OPUS'],
    ['\xff\xfe\x48\0\x65\0'],
    ['\xff\xff\xff\xff'],
    ['PK\x03\x04'],
    [''],
  ])('%j is nothing that can be attached', (head) => {
    expect(mediaTypeOf(bytes(head))).toBeNull();
  });

  it('reads a head of full length', () => {
    const head = new Uint8Array(64 * 1024);
    head.set(bytes(FTYP('mp42')));
    head.set(bytes('soun'), head.length - 4);
    expect(mediaTypeOf(head)).toEqual({ kind: 'audio', mimeType: 'audio/mp4' });
  });
});
