#!/usr/bin/env python3
"""Builds the compressed fonts in this folder from Debian's packages.

Needs `apt-get install fonts-noto-core fonts-noto-cjk zstd` (Debian 12) and `pip install fonttools==4.68.0`.
Run it in this folder: `python3 make.py` builds all, `python3 make.py Arabic Thai` builds some. The font for Chinese, Japanese
and Korean takes some minutes.
"""

import subprocess
import sys

from fontTools import subset, ttLib

TRUETYPE = "/usr/share/fonts/truetype/noto/"
CJK = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
# The third font of the collection has mainland China's forms by default.
SIMPLIFIED = 2

# The characters of every file: the space and the joiners.
COMMON = "0020 200C 200D"

# Each font with the characters to keep.
SCRIPTS = {
    "NotoSans": "0250-02FF 0300-036F 1AB0-1AFF 1D00-1DFF 1F00-1FFF 2C60-2C7F A640-A69F A720-A7FF AB30-AB6F 2070-209F 2150-218F 2500",
    "NotoSansArabic": "0600-06FF 0750-077F 08A0-08FF FB50-FDFF FE70-FEFC",
    "NotoSansArmenian": "0530-058F FB13-FB17",
    "NotoSansBengali": "0980-09FF 0964-0965",
    "NotoSansDevanagari": "0900-097F A8E0-A8FF 1CD0-1CFF",
    "NotoSansEthiopic": "1200-139F 2D80-2DDF AB00-AB2F",
    "NotoSansGeorgian": "10A0-10FF 1C90-1CBF 2D00-2D2F",
    "NotoSansGujarati": "0A80-0AFF 0964-0965",
    "NotoSansGurmukhi": "0A00-0A7F 0964-0965",
    "NotoSansHebrew": "0590-05FF FB1D-FB4F",
    "NotoSansKannada": "0C80-0CFF 0964-0965",
    "NotoSansKhmer": "1780-17FF 19E0-19FF",
    "NotoSansLao": "0E80-0EFF",
    "NotoSansMalayalam": "0D00-0D7F 0964-0965",
    "NotoSansMyanmar": "1000-109F A9E0-A9FF AA60-AA7F",
    "NotoSansOriya": "0B00-0B7F 0964-0965",
    "NotoSansSinhala": "0D80-0DFF 0964-0965",
    "NotoSansTamil": "0B80-0BFF 0964-0965",
    "NotoSansTelugu": "0C00-0C7F 0964-0965",
    "NotoSansThaana": "0780-07BF",
    "NotoSansThai": "0E00-0E7F",
    "NotoSerifTibetan": "0F00-0FFF",
}

# Jamo, kana, Bopomofo, Hangul, enclosed and squared signs, full and half widths.
CJK_BLOCKS = "1100-11FF 2E80-2FDF 3000-30FF 3100-318F 31C0-33FF AC00-D7A3 FE30-FE4F FF00-FFEE"


def characters(ranges):
    """Code points of a list of ranges in hexadecimal digits."""
    found = set()
    for part in ranges.split():
        first, _, last = part.partition("-")
        found.update(range(int(first, 16), int(last or first, 16) + 1))
    return found


def encodable(codec):
    """Code points of a national standard beyond ASCII, as Python encodes it."""
    found = set()
    for code in range(0x80, 0x30000):
        if 0xD800 <= code < 0xE000:
            continue
        try:
            chr(code).encode(codec)
        except UnicodeError:
            continue
        found.add(code)
    return found


def options(features):
    """The options for subsetting. Hints are dropped, because they do not help at a printer's resolution."""
    chosen = subset.Options()
    chosen.layout_features = features
    chosen.layout_scripts = ["*"]
    chosen.hinting = False
    chosen.notdef_outline = True
    chosen.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    chosen.drop_tables += ["vhea", "vmtx", "VORG", "BASE", "DSIG"]
    return chosen


def save(font, name):
    """Writes a font and compresses it. Its date stays that of its source: the same input gives the same file."""
    font.recalcTimestamp = False
    font.save(f"{name}.tmp")
    subprocess.run(["zstd", "-q", "-19", "--ultra", "--rm", "-f", f"{name}.tmp", "-o", f"{name}.zst"], check=True)


def script(name, ranges):
    """One script, with everything that shaping needs."""
    font = ttLib.TTFont(f"{TRUETYPE}{name}-Regular.ttf")
    subsetter = subset.Subsetter(options(["*"]))
    subsetter.populate(unicodes=characters(COMMON) | characters(ranges))
    subsetter.subset(font)
    save(font, f"{name}-Regular.ttf")


def keep_forms(font, wanted):
    """Drops a language's form of a character that its national standard lacks, because nobody there uses it."""
    glyphs = font.getBestCmap()
    table = font["GSUB"].table
    seen = set()
    for record in table.ScriptList.ScriptRecord:
        for language in record.Script.LangSysRecord:
            kept = {glyphs[code] for code in wanted.get(language.LangSysTag, ()) if code in glyphs}
            for at in language.LangSys.FeatureIndex:
                feature = table.FeatureList.FeatureRecord[at]
                for lookup in feature.Feature.LookupListIndex if feature.FeatureTag == "locl" else ():
                    if (language.LangSysTag, lookup) in seen:
                        continue
                    seen.add((language.LangSysTag, lookup))
                    for part in table.LookupList.Lookup[lookup].SubTable:
                        part = getattr(part, "ExtSubTable", part)
                        part.mapping = {one: other for one, other in part.mapping.items() if one in kept}


def cjk():
    """Chinese, Japanese and Korean: the characters of their national standards, in one font with forms by language."""
    japan, korea = encodable("euc_jis_2004"), encodable("euc_kr")
    taiwan = encodable("big5") | encodable("big5hkscs")
    font = ttLib.TTFont(CJK, fontNumber=SIMPLIFIED)
    keep_forms(font, {"JAN ": japan, "KOR ": korea, "ZHT ": taiwan})
    everything = {code for code in encodable("gbk") | japan | korea | taiwan if code >= 0x2010}
    subsetter = subset.Subsetter(options(["locl"]))
    subsetter.populate(unicodes=characters(COMMON) | characters(CJK_BLOCKS) | everything)
    subsetter.subset(font)
    save(font, "NotoSansCJK-Regular.otf")


if __name__ == "__main__":
    asked = sys.argv[1:]
    for name, ranges in SCRIPTS.items():
        if not asked or any(name.endswith(part) for part in asked):
            script(name, ranges)
    if not asked or "CJK" in asked:
        cjk()
