# Writes photos like a camera, and reads files, with independent libraries.
#   photos.py make FOLDER    writes photo.jpg, .png, .webp and .heic there, each rotated and with a place, a maker and XMP
#   photos.py see FILE       prints as JSON what the libraries see: the displayed size and pixels, and the metadata
import hashlib
import json
import sys

import pillow_heif
from PIL import Image, ImageOps, PngImagePlugin

pillow_heif.register_heif_opener()
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- CameraMaker 52.37 N --></x:xmpmeta>'


def make(folder):
    picture = Image.new("RGB", (640, 400), (200, 30, 60))
    picture.paste((20, 160, 90), (0, 0, 320, 100))
    exif = Image.Exif()
    exif[0x0112] = 6  # rotated by 90 degrees
    exif[0x010F] = "CameraMaker"
    exif[0x8825] = {1: "N", 2: (52.0, 22.0, 12.0), 3: "E", 4: (4.0, 53.0, 24.0)}
    for extension in ("jpg", "png", "webp", "heic"):
        text = PngImagePlugin.PngInfo()
        text.add_itxt("XML:com.adobe.xmp", XMP.decode())
        own = {"pnginfo": text} if extension == "png" else {"xmp": XMP, "quality": 90}
        picture.save(f"{folder}/photo.{extension}", exif=exif, **own)


def see(file):
    picture = Image.open(file)
    exif = picture.getexif()
    shown = ImageOps.exif_transpose(picture).convert("RGB")
    return {
        "size": shown.size,
        "dots": hashlib.sha256(shown.tobytes()).hexdigest(),
        "maker": exif.get(0x010F),
        "place": bool(exif.get_ifd(0x8825)),
        "xmp": any("xmp" in str(name).lower() for name in picture.info),
    }


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    print(json.dumps(see(sys.argv[2])))
